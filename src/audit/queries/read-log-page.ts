import { budgets } from '../../kernel/budgets.js';
import type { QueryDeadline } from '../../reader-threads/query-deadline.js';
import type { EventLog } from '../../stores/event-store/event-log.js';
import type { RecordedEvent } from '../../kernel/event.js';
import type { LogSelection } from '../log-selection.js';
import type { UnreadableEvent } from '../../stores/event-store/readable-events.js';
import { selectedEvents } from '../selected-events.js';

/** A page of the selected events of the log. */
export interface LogPage {
  readonly events: readonly (RecordedEvent | UnreadableEvent)[];
  /** Where the next page starts. */
  readonly position: number | null;
  /** Whether the log ends here. */
  readonly found_newest: boolean;
}

/** Maximum number of pages of the log that a request reads, however little it finds. */
const MAX_PAGES = 40;

/** Which part of the log to read for one page. */
export interface PageExtent {
  /** Maximum number of events; the page is shorter when they are large: see the budget `logPageCharacters`. */
  readonly limit: number;
  readonly deadline: QueryDeadline;
}

/**
 * Reads one page. The next one starts after its position, even if nothing was found. @throws the error of the deadline
 */
export async function readLogPage(
  log: EventLog,
  selection: LogSelection,
  { limit, deadline }: PageExtent,
): Promise<LogPage> {
  const { from = 0 } = selection;
  const events: (RecordedEvent | UnreadableEvent)[] = [];
  let position = selection.from === undefined ? null : from - 1;
  let pages = 0;
  let characters = 0;
  for await (const page of selectedEvents(log, selection)) {
    deadline.throwIfOver();
    for (const event of page.events) {
      events.push(event);
      characters += JSON.stringify(event).length;
      const isFull = events.length === limit || characters >= budgets.logPageCharacters.max;
      if (isFull) return { events, position: event.position, found_newest: false };
    }
    // Reading may start before the requested range.
    if (page.position < from) continue;
    position = page.position;
    pages += 1;
    if (pages === MAX_PAGES) return { events, position, found_newest: false };
  }
  return { events, position, found_newest: true };
}
