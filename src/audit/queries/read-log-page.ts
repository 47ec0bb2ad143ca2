import { budgets } from '../../kernel/budgets.js';
import type { QueryDeadline } from '../../reader-threads/query-deadline.js';
import type { EventLog } from '../../stores/event-store/event-log.js';
import type { RecordedEvent } from '../../kernel/event.js';
import type { LogSelection } from '../log-selection.js';
import type { UnreadableEvent } from '../../stores/event-store/readable-events.js';
import { selectedEvents } from '../selected-events.js';

/** A page of what was selected of the log. */
export interface LogPage {
  readonly events: readonly (RecordedEvent | UnreadableEvent)[];
  /** Where the next page goes on. */
  readonly position: number | null;
  /** Whether the log ends here. */
  readonly found_newest: boolean;
}

/** A request looks at so many pages of the log at most, however little it finds in them. */
const MAX_PAGES = 40;

/** How much of the log one page may be. */
export interface PageExtent {
  /** At most so many events; fewer where they are large: see `logPageCharacters` of the budgets. */
  readonly limit: number;
  readonly deadline: QueryDeadline;
}

/** Reads one page; a reader goes on after its position, also where nothing was found. @throws what the deadline ends it with */
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
    // Reading may begin some way before what is wanted.
    if (page.position < from) continue;
    position = page.position;
    pages += 1;
    if (pages === MAX_PAGES) return { events, position, found_newest: false };
  }
  return { events, position, found_newest: true };
}
