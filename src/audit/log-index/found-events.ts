import { isEvent, type AnyEventDefinition, type Recorded, type RecordedEvent } from '../../kernel/event.js';
import { isReadable, type UnreadableEvent } from '../../stores/event-store/readable-events.js';
import type { LogSelection } from '../log/log-selection.js';
import { selectedEvents } from '../log/selected-events.js';
import type { AuditIndex, IndexedLog, OpenAuditIndex } from './audit-index.js';
import { readIndexedPage } from './indexed-page.js';

/** How many events are found at once. */
const PAGE = 1_000;

/** Where to look for events. */
interface SearchedLog extends Omit<IndexedLog, 'index'> {
  /** Null: there is no index, so the log itself is read. */
  readonly index: OpenAuditIndex | null;
}

/** Every selected event in log order, by the index if there is one. @throws the error of the deadline */
async function* foundEvents(
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

/**
 * The selected events of some types in log order, without those that cannot be read.
 *
 * @throws the error of the deadline
 */
export async function* foundEventsOf<Definitions extends readonly AnyEventDefinition[]>(
  { index, ...searched }: Omit<IndexedLog, 'index'> & { readonly index: Pick<AuditIndex, 'open'> },
  definitions: Definitions,
  selection: Omit<LogSelection, 'types'>,
): AsyncGenerator<Recorded<Definitions[number]>> {
  const types = definitions.map(({ type }) => type);
  for await (const event of foundEvents({ ...searched, index: await index.open() }, { ...selection, types }))
    if (isReadable(event) && isEvent(event, ...definitions)) yield event;
}
