import type { Emoji } from '../emoji.js';
import type { StatusEvent } from '../../events/statuses.js';

/** What a person says of what they are about. */
export interface Status {
  readonly userId: number;
  /** At most 60 code points; empty: none. */
  readonly text: string;
  readonly emoji: Emoji | null;
}

/** How many code points a status may have (specification, "Limits"). */
export const maxStatusLength = 60;

/** Of who never said anything. */
export function noStatus(userId: number): Status {
  return { userId, text: '', emoji: null };
}

/** What the event makes of a person's status; null before they had any. */
export function evolveStatus(status: Status | null, { data: { userId, text, emoji } }: StatusEvent): Status {
  const before = status ?? noStatus(userId);
  return {
    userId,
    text: text ?? before.text,
    emoji: emoji === null ? before.emoji : emoji === 'none' ? null : emoji,
  };
}
