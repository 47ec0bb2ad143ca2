import type { InitialState } from '../../realtime/initial-state.js';
import { integrationObjects } from './integrations.js';

/** The bots that other programs can use. */
export const integrationState: InitialState = {
  realm_incoming_webhook_bots: () => ({ realm_incoming_webhook_bots: integrationObjects }),
};
