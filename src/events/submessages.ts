import { z } from 'zod';
import { defineEvent } from '../kernel/event.js';

const id = z.number().int().positive();

/** Stream `message-<id>`. */
export const SubmessageAttached = defineEvent({
  type: 'SubmessageAttached',
  description: 'Somebody took part in a message that is a poll, a list or another small program of clients.',
  schema: z.strictObject({
    messageId: id,
    /** A name among what is attached to the message. */
    submessageId: id,
    userId: id,
    /** What clients call the kind of it. */
    kind: z.string(),
    /** JSON text, for clients to make sense of. */
    content: z.string(),
  }),
  erasable: { fields: ['content'], owner: ({ userId }) => userId, placeholder: { content: '{}' } },
  example: {
    messageId: 41,
    submessageId: 2,
    userId: 4,
    kind: 'widget',
    content: '{"type":"vote","key":"canned,0","vote":1}',
  },
});
