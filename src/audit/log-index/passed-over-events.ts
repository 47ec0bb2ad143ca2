import type { AuditEntryDocument } from '../../contexts/audit-index/read-model.js';
import type { PersistedEvent } from '../../stores/event-store/port.js';
import { decodeReadable, isReadable, type LoggedEvent } from '../../stores/event-store/readable-events.js';
import { isSelected, type LogSelection } from '../log/log-selection.js';
import { asStored } from '../log/selected-events.js';
import type { IndexedLog } from './audit-index.js';
import type { Direction, PositionRange } from './common-entries.js';

/**
 * Finds the selected events that operators had the index skip, so that pages show them nevertheless. The role of their
 * actors and whose content they changed are unknown, so these two conditions exclude none of them.
 *
 * @throws the error of the deadline
 */
export async function passedOverEvents(
  indexed: IndexedLog,
  selection: LogSelection,
  [lowest, highest]: PositionRange,
): Promise<readonly LoggedEvent[]> {
  const events: LoggedEvent[] = [];
  for (const { position, type } of indexed.index.discarded) {
    if (position < lowest || position > highest || selection.types?.includes(type) === false) continue;
    indexed.deadline.throwIfOver();
    const stored = await storedAt(indexed, position);
    if (stored === null) continue;
    const [event] = await decodeReadable(indexed.log, [stored]);
    if (event !== undefined && isSelected(isReadable(event) ? event : asStored(stored), selection))
      events.push(event);
  }
  return events;
}

async function storedAt({ log, index }: IndexedLog, position: number): Promise<PersistedEvent | null> {
  // Some stores can only start reading at the position of an event.
  const [before] = await index.model
    .collection<AuditEntryDocument>('audit_entries')
    .find({ _id: { $lt: position } }, { sort: { _id: -1 }, limit: 1, projection: { _id: 1 } });
  for await (const { events } of log.store.readAll({ after: before?._id ?? null, pageSize: 1 }))
    for (const event of events)
      if (event.position >= position) return event.position === position ? event : null;
  return null;
}

/** Events of a page that the search of the index does not find, to be inserted between those that it finds. */
export class InsertedEvents {
  private readonly events: LoggedEvent[];
  private readonly step: 1 | -1;

  constructor(events: readonly LoggedEvent[], direction: Direction) {
    this.step = direction === 'forwards' ? 1 : -1;
    this.events = events.toSorted((one, other) => (one.position - other.position) * this.step);
  }

  /** Removes and returns those before a position, in the direction of the page; null: all the rest. */
  before(position: number | null): readonly LoggedEvent[] {
    if (position === null) return this.events.splice(0);
    const first = this.events.findIndex((event) => (event.position - position) * this.step >= 0);
    return this.events.splice(0, first === -1 ? this.events.length : first);
  }
}
