import { z } from 'zod';
import { type Described, id, named, reactionType } from '../../http/replies/common-schemas.js';
import { clientEvent } from '../../realtime/client-event-schema.js';

const emoji = { emoji_name: z.string(), emoji_code: z.string(), reaction_type: reactionType } as const;

/** A status in the API, without empty parts. */
const statusSchema = named(
  'UserStatus',
  z.strictObject({
    away: z.literal(true).optional().describe('Deprecated: the inverse of the setting `presence_enabled`'),
    status_text: z.string().optional(),
    ...z.strictObject(emoji).partial().shape,
  }),
);

/** Type of {@link statusSchema}. */
export type StatusObject = Described<typeof statusSchema>;

/** Answered by `GET users/me/status`, `GET users/{user_id}/status`. */
export const statusReply = { status: statusSchema };

/** Schemas of the client events about statuses: only what changed. */
export const statusEventSchemas = [
  clientEvent('user_status', null, {
    user_id: id,
    away: z.boolean().optional(),
    status_text: z.string().optional(),
    ...z.strictObject(emoji).partial().shape,
  }),
];

/** Schemas of the initial state about statuses: by account id, without empty ones. */
export const statusStateFields = { user_status: z.record(z.string(), statusSchema).optional() } as const;
