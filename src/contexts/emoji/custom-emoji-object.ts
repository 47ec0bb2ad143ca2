import { customEmojiUrl, type CustomEmoji, type CustomEmojiSet } from '../../access/records/custom-emoji.js';
import type { CustomEmojiObject } from './client-schemas.js';

/** A custom emoji in the words of the API. */
export function customEmojiObject(emoji: CustomEmoji): CustomEmojiObject {
  return {
    id: String(emoji.emojiId),
    name: emoji.name,
    source_url: customEmojiUrl(emoji),
    still_url: null,
    deactivated: emoji.isDeactivated,
    author_id: emoji.authorId,
  };
}

/** All of them by id, with those that can be used no longer. */
export function customEmojiObjects({ emoji }: CustomEmojiSet): Readonly<Record<string, CustomEmojiObject>> {
  return Object.fromEntries(emoji.map((one) => [String(one.emojiId), customEmojiObject(one)]));
}
