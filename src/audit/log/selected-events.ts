import type { EventLog } from '../../stores/event-store/event-log.js';
import { eventMetadataOf } from '../../stores/event-store/event-reading.js';
import type { PersistedEvent } from '../../stores/event-store/port.js';
import type { RecordedEvent } from '../../kernel/event.js';
import {
  decodeReadable,
  isReadable,
  type UnreadableEvent,
} from '../../stores/event-store/readable-events.js';
import { sealBefore } from '../../stores/event-store/seals.js';
import { isSelected, type LogSelection } from './log-selection.js';

/** A page of selected events. */
interface SelectedPage {
  readonly events: readonly (RecordedEvent | UnreadableEvent)[];
  /** Everything up to this position was looked at. */
  readonly position: number;
  /** How many events were looked at for this page. */
  readonly looked: number;
}

/** Yields the selected events of the log in log order, a page at a time, with only one page in memory. */
export async function* selectedEvents(log: EventLog, selection: LogSelection): AsyncGenerator<SelectedPage> {
  const { from = -Infinity, through = Infinity, types } = selection;
  const after = Number.isFinite(from) ? await sealBefore(log.store, from) : null;
  for await (const page of log.store.readAll({ after, ...(types && { types }) })) {
    const within = page.events.filter(({ position }) => position >= from && position <= through);
    const stored = new Map(within.map((event) => [event.position, event]));
    // An event that cannot be read is tested by its stored form.
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
