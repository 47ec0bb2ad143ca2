import type { EventLog } from '../stores/event-store/event-log.js';
import { eventMetadataOf } from '../stores/event-store/event-reading.js';
import type { PersistedEvent } from '../stores/event-store/port.js';
import type { RecordedEvent } from '../kernel/event.js';
import { decodeReadable, isReadable, type UnreadableEvent } from '../stores/event-store/readable-events.js';
import { sealBefore } from './sealing/seal-before.js';
import { isSelected, type LogSelection } from './log-selection.js';

/** A page of what was selected. */
export interface SelectedPage {
  readonly events: readonly (RecordedEvent | UnreadableEvent)[];
  /** Everything up to here was looked at. */
  readonly position: number;
  /** How many events were looked at for this page. */
  readonly looked: number;
}

/** Reads what is selected of the log, in log order and a page at a time: never more than a page is in memory. */
export async function* selectedEvents(log: EventLog, selection: LogSelection): AsyncGenerator<SelectedPage> {
  const { from = -Infinity, through = Infinity, types } = selection;
  const after = Number.isFinite(from) ? await sealBefore(log.store, from) : null;
  for await (const page of log.store.readAll({ after, ...(types && { types }) })) {
    const within = page.events.filter(({ position }) => position >= from && position <= through);
    const stored = new Map(within.map((event) => [event.position, event]));
    // What cannot be read is judged by what is stored of it.
    const isWanted = (event: RecordedEvent | UnreadableEvent): boolean =>
      isReadable(event)
        ? isSelected(event, selection)
        : isSelected(asStored(stored.get(event.position)!), selection);
    const events = await decodeReadable(log, within);
    yield { events: events.filter(isWanted), position: page.position, looked: page.events.length };
    if (page.position >= through) return;
  }
}

export function asStored(event: PersistedEvent): RecordedEvent {
  return { ...event, metadata: eventMetadataOf(event.metadata), erased: false };
}
