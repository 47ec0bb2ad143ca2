import { z } from 'zod';
import { id, reactionType } from '../../http/replies/common-schemas.js';
import { named, type Described } from '../../http/replies/named-schema.js';
import { clientEvent } from '../../realtime/client-event-schema.js';

const emoji = { emoji_name: z.string(), emoji_code: z.string(), reaction_type: reactionType } as const;

/** A status as the API gives it: only what there is of it (facts of the events, section 3, `user_status`). */
export const statusSchema = named(
  'UserStatus',
  z.strictObject({
    away: z.literal(true).optional().describe('Deprecated: the setting `presence_enabled`, inverted'),
    status_text: z.string().optional(),
    ...z.strictObject(emoji).partial().shape,
  }),
);

/** The same, as an object. */
export type StatusObject = Described<typeof statusSchema>;

/** Answered by `GET users/me/status`, `GET users/{user_id}/status`. */
export const statusReply = { status: statusSchema };

/** What is told of statuses: only what is other than it was. */
export const statusEventSchemas = [
  clientEvent('user_status', null, {
    user_id: id,
    away: z.boolean().optional(),
    status_text: z.string().optional(),
    ...z.strictObject(emoji).partial().shape,
  }),
];

/** What a client that registers is told of them: of those who say anything, by account id. */
export const statusStateFields = { user_status: z.record(z.string(), statusSchema).optional() } as const;
