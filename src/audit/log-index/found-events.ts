import type { RecordedEvent } from '../../kernel/event.js';
import type { QueryDeadline } from '../../reader-threads/query-deadline.js';
import type { EventLog } from '../../stores/event-store/event-log.js';
import type { UnreadableEvent } from '../../stores/event-store/readable-events.js';
import type { ModelStore } from '../../stores/read-store/port.js';
import type { LogSelection } from '../log-selection.js';
import { selectedEvents } from '../selected-events.js';
import { readIndexedPage } from './indexed-page.js';

/** So many events are found at once. */
const PAGE = 1_000;

/** Where events are looked for. */
export interface SearchedLog {
  readonly log: EventLog;
  /** The index of the log; null: there is none, and the log itself is read. */
  readonly index: ModelStore | null;
  readonly deadline: QueryDeadline;
}

/**
 * Every event that is selected, in log order: by the index, where there is one.
 *
 * @throws what the deadline ends it with
 */
export async function* foundEvents(
  { log, index, deadline }: SearchedLog,
  selection: LogSelection,
): AsyncGenerator<RecordedEvent | UnreadableEvent> {
  if (index === null) {
    for await (const { events } of selectedEvents(log, selection)) {
      deadline.throwIfOver();
      yield* events;
    }
    return;
  }
  const { through = Infinity } = selection;
  let { from = 0 } = selection;
  for (;;) {
    const extent = { direction: 'forwards', limit: PAGE } as const;
    const page = await readIndexedPage({ log, index, deadline }, { ...selection, from }, extent);
    yield* page.events;
    if (page.isEnd || page.position === null || page.position >= through) return;
    from = page.position + 1;
  }
}
