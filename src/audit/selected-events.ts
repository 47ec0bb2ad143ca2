import type { EventLog } from '../event-store/event-log.js';
import type { RecordedEvent } from '../kernel/event.js';
import { sealBefore } from './sealing/seal-before.js';
import { isSelected, type LogSelection } from './log-selection.js';

/** A page of what was selected. */
export interface SelectedPage {
  readonly events: readonly RecordedEvent[];
  /** Everything up to here was looked at. */
  readonly position: number;
}

/** Reads what is selected of the log, in log order and a page at a time: never more than a page is in memory. */
export async function* selectedEvents(log: EventLog, selection: LogSelection): AsyncGenerator<SelectedPage> {
  const { from = -Infinity, through = Infinity, types } = selection;
  const after = Number.isFinite(from) ? await sealBefore(log.store, from) : null;
  for await (const page of log.store.readAll({ after, ...(types && { types }) })) {
    const within = page.events.filter(({ position }) => position >= from && position <= through);
    const events = await log.decode(within);
    yield { events: events.filter((event) => isSelected(event, selection)), position: page.position };
    if (page.position >= through) return;
  }
}
