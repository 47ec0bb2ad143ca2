import { z } from 'zod';
import { defineEvent, type EventOf } from '../kernel/event.js';
import { emojiSchema } from './messages.js';

/** Stream `user-<id>`. */
export const UserStatusChanged = defineEvent({
  type: 'UserStatusChanged',
  description: 'A person changed their status text or status emoji.',
  schema: z.strictObject({
    userId: z.number().int().positive(),
    /** Empty: removes the text. Null: no change. */
    text: z.string().nullable(),
    /** `none`: removes the emoji. Null: no change. */
    emoji: z.union([emojiSchema, z.literal('none')]).nullable(),
  }),
  erasable: { fields: ['text'], owner: (data) => data.userId, placeholder: { text: '' } },
  example: {
    userId: 3,
    text: 'at sea',
    emoji: { name: 'boat', code: '26f5', type: 'unicode_emoji' },
  },
});

export const statusEvents = [UserStatusChanged] as const;

export type StatusEvent = EventOf<(typeof statusEvents)[number]>;
