import type { AuditEntryDocument } from '../../contexts/audit-index/read-model.js';
import type { RecordedEvent } from '../../kernel/event.js';
import type { UnreadableEvent } from '../../stores/event-store/readable-events.js';
import type { LogSelection } from '../log/log-selection.js';
import type { IndexedLog } from './audit-index.js';
import type { Direction, PositionRange } from './common-entries.js';
import { termsOf } from './facet-groups.js';
import { entriesWithin, selectedOf } from './selected-entries.js';

/** The selected moves of a message that the index does not find by the message's id. */
interface MovedEvents {
  /** The selection, extended by the positions of these moves. */
  readonly selection: LogSelection;
  /** The moves that do not name the message; the index finds the others. */
  readonly events: readonly (RecordedEvent | UnreadableEvent)[];
  /** The range that was searched; there may be more moves beyond it. */
  readonly range: PositionRange;
  /** How many rows were read. */
  readonly rows: number;
}

/** Minimum number of moves that are looked at, also for a smaller page. */
const FEW_MOVES = 50;

/**
 * Finds the moves that included the message of a selection, and that meet its other conditions. It looks at about as
 * many moves as a page shows.
 *
 * @param limit how many events the page shows
 */
export async function movedEvents(
  { log, index, moved }: IndexedLog,
  { selection, direction, limit }: MovesSearch,
  range: PositionRange,
): Promise<MovedEvents> {
  const { messageId, ...others } = selection;
  if (messageId === undefined || moved === undefined) return { selection, events: [], range, rows: 0 };
  const atMost = Math.max(limit, FEW_MOVES);
  const { positions, isAll } = await moved.movesWithin(range, { direction, limit: atMost });
  const last = positions.at(-1);
  const known = { ...selection, movedAt: new Set(positions) };
  const found = await index.model
    .collection<AuditEntryDocument>('audit_entries')
    .find({ _id: { $in: [...positions] } });
  const naming = termsOf({ messageId });
  const terms = termsOf(others);
  const entries = found.filter(
    (entry) => !naming.every(({ matches }) => matches(entry)) && terms.every(({ matches }) => matches(entry)),
  );
  return {
    selection: known,
    events: await selectedOf(log, entriesWithin(entries, selection), known),
    range: isAll || last === undefined ? range : upTo(last, direction, range),
    rows: positions.length + found.length,
  };
}

/** Where to look for moves. */
interface MovesSearch {
  readonly selection: LogSelection;
  readonly direction: Direction;
  readonly limit: number;
}

function upTo(last: number, direction: Direction, [lowest, highest]: PositionRange): PositionRange {
  return direction === 'forwards' ? [lowest, last] : [last, highest];
}
