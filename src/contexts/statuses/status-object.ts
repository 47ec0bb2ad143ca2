import type { Directory } from '../../access/directory.js';
import type { Emoji } from '../../access/emoji.js';
import type { EmojiType } from '../../events/values/emoji-types.js';
import type { StatusObject } from './client-schemas.js';

interface EmojiFields {
  readonly emoji_name: string;
  readonly emoji_code: string;
  readonly reaction_type: EmojiType;
}

/** A person's status formatted for the API, without empty parts. */
export function statusObject({ settings, statuses }: Directory, userId: number): StatusObject {
  const { text = '', emoji = null } = statuses.get(userId) ?? {};
  return {
    ...(settings.value(userId, 'presence_enabled') ? {} : { away: true }),
    ...(text === '' ? {} : { status_text: text }),
    ...(emoji === null ? {} : emojiFields(emoji)),
  };
}

const noEmoji = { name: '', code: '', type: 'unicode_emoji' } as const;

/**
 * An emoji formatted for the API. No emoji has an empty name and code, and the type that clients expect then.
 */
export function emojiFields(emoji: Emoji | null): EmojiFields {
  const { name, code, type } = emoji ?? noEmoji;
  return { emoji_name: name, emoji_code: code, reaction_type: type };
}
