import { z } from 'zod';
import type { InitialState } from '../../realtime/initial-state.js';
import { integrationObjects } from './integrations.js';

/** The bots that other programs can use. */
export const integrationState: InitialState = {
  realm_incoming_webhook_bots: () => ({ realm_incoming_webhook_bots: integrationObjects }),
};

/** The reply to the calling program; `ok` is only in the reply to the integration `slack_incoming`. */
export const takenReply = { ok: z.literal(true).optional() };

/** Schemas of the initial state about programs whose webhooks become messages. */
export const integrationStateFields = {
  realm_incoming_webhook_bots: z
    .array(
      z.strictObject({
        name: z.string(),
        display_name: z.string(),
        all_event_types: z.array(z.string()).nullable(),
        config_options: z.array(z.never()),
        url_options: z.array(z.never()),
      }),
    )
    .optional(),
} as const;
