import { customEmojiUrl, type CustomEmoji, type CustomEmojiSet } from '../../access/records/custom-emoji.js';
import type { CustomEmojiObject } from './client-schemas.js';

/** Formats a custom emoji for the API. */
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

/** All custom emoji by id, deactivated ones included. */
export function customEmojiObjects({ emoji }: CustomEmojiSet): Readonly<Record<string, CustomEmojiObject>> {
  return Object.fromEntries(emoji.map((one) => [String(one.emojiId), customEmojiObject(one)]));
}
