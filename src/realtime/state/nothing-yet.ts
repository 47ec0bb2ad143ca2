import type { InitialState } from './initial-state.js';

/** Parts of which this server has nothing to tell: clients ask for them all the same, and fail without them. */
export const nothingYet: InitialState = {
  realm_embedded_bots: () => ({ realm_embedded_bots: [] }),
  realm_incoming_webhook_bots: () => ({ realm_incoming_webhook_bots: [] }),
  default_stream_groups: () => ({ realm_default_stream_groups: [] }),
};
