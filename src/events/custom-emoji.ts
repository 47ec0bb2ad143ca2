import { z } from 'zod';
import { defineEvent, type EventOf } from '../kernel/event.js';

/** The namespaces of emoji codes. */
export const emojiTypes = ['unicode_emoji', 'realm_emoji', 'service_extra_emoji'] as const;
export type EmojiType = (typeof emojiTypes)[number];

const id = z.number().int().positive();

/** Stream `custom-emoji`. Ids are the order in which they were added. */
export const CustomEmojiAdded = defineEvent({
  type: 'CustomEmojiAdded',
  description: 'Somebody added a custom emoji.',
  schema: z.strictObject({
    emojiId: id,
    name: z.string(),
    authorId: id,
    /** Name of its image in the file store. */
    storageName: z.string(),
    /** Id of the image's key. */
    contentKey: z.string(),
    /** The last segment of its URL. */
    fileName: z.string(),
    /** Bytes. */
    size: z.number().int().positive(),
  }),
  example: {
    emojiId: 1,
    name: 'difference_engine',
    authorId: 3,
    storageName: '1/emoji/9e0b28329e0b28329e0b28329e0b2832',
    contentKey: '0f8b1c5e-5a53-4c1f-8d0a-6f1f7d1d2c11',
    fileName: '9e0b28329e0b28329e0b28329e0b2832.png',
    size: 1842,
  },
});

/** Stream `custom-emoji`. */
const CustomEmojiDeactivated = defineEvent({
  type: 'CustomEmojiDeactivated',
  description: 'A custom emoji was deactivated: it can no longer be used, but stays where it was used.',
  schema: z.strictObject({ emojiId: id }),
  example: { emojiId: 1 },
});

export const customEmojiEvents = [CustomEmojiAdded, CustomEmojiDeactivated] as const;
export type CustomEmojiEvent = EventOf<(typeof customEmojiEvents)[number]>;
