import type { EventLog } from '../event-store/event-log.js';
import type { RecordedEvent } from '../kernel/event.js';
import { isSelected, type LogSelection } from './log-selection.js';

/** A page of what was selected. */
export interface SelectedPage {
  readonly events: readonly RecordedEvent[];
  /** Everything up to here was looked at. */
  readonly position: number;
}

/** Reads what is selected of the log, in log order and a page at a time: never more than a page is in memory. */
export async function* selectedEvents(log: EventLog, selection: LogSelection): AsyncGenerator<SelectedPage> {
  const { after = null, through = Infinity, types } = selection;
  for await (const page of log.store.readAll({ after, ...(types && { types }) })) {
    const events = await log.decode(page.events.filter(({ position }) => position <= through));
    yield { events: events.filter((event) => isSelected(event, selection)), position: page.position };
    if (page.position >= through) return;
  }
}
