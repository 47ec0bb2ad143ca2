import type { Directory } from '../../../access/directory.js';
import type { Emoji } from '../../../access/emoji.js';
import type { User } from '../../../access/records/user.js';
import type { Snapshot } from '../../../access/snapshot.js';
import type { EmojiType } from '../../../events/custom-emoji.js';
import type { ClientEvent } from '../../../realtime/client-event.js';

/** An emoji in the API. */
interface EmojiFields {
  readonly emoji_name: string;
  readonly emoji_code: string;
  readonly reaction_type: EmojiType;
}

/** A status in the API. */
interface StatusFields extends Partial<EmojiFields> {
  readonly away?: true;
  readonly status_text?: string;
}

/** A person's status formatted for the API, without empty parts. */
export function statusObject({ settings, statuses }: Directory, userId: number): StatusFields {
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

/** The status that a person has, for those who did not know the person or the status. */
export function presentStatus({ id, isActive, bot }: User, { directory }: Snapshot): readonly ClientEvent[] {
  if (!isActive || bot !== null) return [];
  const status = statusObject(directory, id);
  return Object.keys(status).length === 0 ? [] : [{ type: 'user_status', user_id: id, ...status }];
}

/** Ends the status of a person who was deactivated: the statuses of deactivated people are not shown. */
export function endedStatus({ id, bot }: User, { directory }: Snapshot): readonly ClientEvent[] {
  const status = statusObject(directory, id);
  if (bot !== null || Object.keys(status).length === 0) return [];
  return [
    {
      type: 'user_status',
      user_id: id,
      ...('away' in status ? { away: false } : {}),
      ...('status_text' in status ? { status_text: '' } : {}),
      ...('emoji_name' in status ? emojiFields(null) : {}),
    },
  ];
}
