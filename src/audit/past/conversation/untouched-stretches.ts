import type { ComparedScenes } from './past-scene.js';

/** A stretch of messages' ids: those after one, up to and including another. */
export interface IdStretch {
  readonly after: number;
  readonly through: number;
}

/**
 * How messages compare at two moments that lie in the conversation, and to which nothing ever happened since they were sent there: what
 * somebody sees of them follows from their ids alone, but for those that were given to a bot.
 */
export interface UntouchedStretches {
  /** Seen alike at both moments. */
  readonly same: readonly IdStretch[];
  /** Seen at neither. */
  readonly unseen: readonly IdStretch[];
  /** Seen at one of them only, or otherwise than at the other. */
  readonly different: readonly IdStretch[];
}

type Kind = keyof UntouchedStretches;

/** Finds them by the permissions of the two moments: as many stretches as the viewer joined and left the channel, at most. */
export function untouchedStretches({ before, after }: ComparedScenes): UntouchedStretches {
  const end = after.at.lastMessageId;
  const bounds = [before.at.lastMessageId, end, ...before.sightBounds, ...after.sightBounds];
  const throughs = [...new Set(bounds)].filter((id) => id > 0 && id <= end).sort((one, other) => one - other);
  const stretches: Record<Kind, IdStretch[]> = { same: [], unseen: [], different: [] };
  let last: number = 0;
  for (const through of throughs) {
    append(stretches[kindOf(through, { before, after })], { after: last, through });
    last = through;
  }
  return stretches;
}

function kindOf(id: number, { before, after }: ComparedScenes): Kind {
  const [was, is] = [before.sightOfUntouched(id), after.sightOfUntouched(id)];
  if (was !== is) return 'different';
  return is === 'none' ? 'unseen' : 'same';
}

/** Adds a stretch, to the last one where they meet. */
function append(stretches: IdStretch[], stretch: IdStretch): void {
  const last = stretches.at(-1);
  if (last?.through === stretch.after)
    stretches[stretches.length - 1] = { ...last, through: stretch.through };
  else stretches.push(stretch);
}
