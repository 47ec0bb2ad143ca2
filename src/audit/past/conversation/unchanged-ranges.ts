import type { ComparedViews } from './past-conversation-view.js';

/** A range of message ids: those greater than `after`, up to and including `through`. */
export interface IdRangeAfter {
  readonly after: number;
  readonly through: number;
}

/**
 * Compares the visibility, at two moments, of messages that nothing has happened to since they were sent to the
 * conversation. It depends only on their ids, except for messages that were given to a bot.
 */
export interface UnchangedRanges {
  /** Visible in the same way at both moments. */
  readonly same: readonly IdRangeAfter[];
  /** Visible at neither moment. */
  readonly unseen: readonly IdRangeAfter[];
  /** Visible at one moment only, or in different ways. */
  readonly different: readonly IdRangeAfter[];
}

type Kind = keyof UnchangedRanges;

/**
 * Determines these ranges from the permissions at the two moments. Their number grows with how often the viewer joined
 * and left the channel, not with the number of messages.
 */
export function unchangedRanges({ before, after }: ComparedViews): UnchangedRanges {
  const end = after.at.lastMessageId;
  const bounds = [before.at.lastMessageId, end, ...before.visibilityBounds, ...after.visibilityBounds];
  const throughs = [...new Set(bounds)].filter((id) => id > 0 && id <= end).sort((one, other) => one - other);
  const ranges: Record<Kind, IdRangeAfter[]> = { same: [], unseen: [], different: [] };
  let last: number = 0;
  for (const through of throughs) {
    append(ranges[kindOf(through, { before, after })], { after: last, through });
    last = through;
  }
  return ranges;
}

function kindOf(id: number, { before, after }: ComparedViews): Kind {
  const [was, is] = [before.visibilityOfUnchanged(id), after.visibilityOfUnchanged(id)];
  if (was !== is) return 'different';
  return is === 'none' ? 'unseen' : 'same';
}

/** Appends a range, joining it to the last one if they are adjacent. */
function append(ranges: IdRangeAfter[], range: IdRangeAfter): void {
  const last = ranges.at(-1);
  if (last?.through === range.after) ranges[ranges.length - 1] = { ...last, through: range.through };
  else ranges.push(range);
}
