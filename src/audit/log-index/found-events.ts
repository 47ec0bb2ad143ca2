import type { RecordedEvent } from '../../kernel/event.js';
import type { UnreadableEvent } from '../../stores/event-store/readable-events.js';
import type { LogSelection } from '../log-selection.js';
import { selectedEvents } from '../selected-events.js';
import type { IndexedLog, OpenAuditIndex } from './audit-index.js';
import { readIndexedPage } from './indexed-page.js';

/** So many events are found at once. */
const PAGE = 1_000;

/** Where events are looked for. */
export interface SearchedLog extends Omit<IndexedLog, 'index'> {
  /** Null: there is none, and the log itself is read. */
  readonly index: OpenAuditIndex | null;
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
