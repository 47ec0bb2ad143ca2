import { z } from 'zod';
import { id } from '../../http/replies/common-schemas.js';
import { clientEvent } from '../../realtime/client-event-schema.js';

const person = z.strictObject({ user_id: id, email: z.string() });

const members = {
  sender: person,
  message_type: z.enum(['direct', 'stream']),
  recipients: z.array(person).optional().describe('Of a direct conversation, the sender included'),
  stream_id: id.optional(),
  topic: z.string().optional(),
} as const;

/** What is told of who types. */
export const typingEventSchemas = [
  clientEvent('typing', 'start', members),
  clientEvent('typing', 'stop', members),
];
