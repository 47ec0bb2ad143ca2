import type { Emoji } from '../emoji.js';
import type { StatusEvent } from '../../events/statuses.js';

/** A person's status. */
export interface Status {
  readonly userId: number;
  /** At most 60 code points; empty: none. */
  readonly text: string;
  readonly emoji: Emoji | null;
}

/** Maximum length of a status text, in code points. */
export const MAX_STATUS_LENGTH = 60;

/** The status of a person who never set one. */
export function noStatus(userId: number): Status {
  return { userId, text: '', emoji: null };
}

/** Applies an event to a person's status; null before they had one. */
export function evolveStatus(status: Status | null, { data: { userId, text, emoji } }: StatusEvent): Status {
  const before = status ?? noStatus(userId);
  return {
    userId,
    text: text ?? before.text,
    emoji: emoji === null ? before.emoji : emoji === 'none' ? null : emoji,
  };
}
