import { z } from 'zod';
import { id } from '../../http/replies/common-schemas.js';
import { clientEvent } from '../../realtime/client-event-schema.js';

const person = z.strictObject({ user_id: id, email: z.string() });

const members = {
  sender: person,
  message_type: z.enum(['direct', 'stream']),
  recipients: z
    .array(person)
    .optional()
    .describe('The participants of a direct conversation, including the sender'),
  stream_id: id.optional(),
  topic: z.string().optional(),
} as const;

const editing = {
  sender_id: id,
  message_id: id,
  recipient: z.union([
    z.strictObject({ type: z.literal('channel'), channel_id: id, topic: z.string() }),
    z.strictObject({
      type: z.literal('direct'),
      user_ids: z.array(id).describe('The account ids of all participants, including the sender'),
    }),
  ]),
} as const;

/** Schemas of the client events about typing and editing. */
export const typingEventSchemas = [
  clientEvent('typing', 'start', members),
  clientEvent('typing', 'stop', members),
  clientEvent('typing_edit_message', 'start', editing),
  clientEvent('typing_edit_message', 'stop', editing),
];
