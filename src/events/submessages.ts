import { z } from 'zod';
import { defineEvent } from '../kernel/event.js';

const id = z.number().int().positive();

/** Stream `message-<id>`. */
export const SubmessageAttached = defineEvent({
  type: 'SubmessageAttached',
  description: 'Somebody took part in a widget of a message, such as a poll or a to-do list.',
  schema: z.strictObject({
    messageId: id,
    /** Unique among the submessages of the message. */
    submessageId: id,
    userId: id,
    /** The client's name for its kind. */
    kind: z.string(),
    /** JSON text that clients interpret. */
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
