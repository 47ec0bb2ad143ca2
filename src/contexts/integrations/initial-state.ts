import type { InitialState } from '../../realtime/initial-state.js';
import { integrationObjects } from './integrations.js';

/** Which bots other services may speak through. */
export const integrationState: InitialState = {
  realm_incoming_webhook_bots: () => ({ realm_incoming_webhook_bots: integrationObjects }),
};
