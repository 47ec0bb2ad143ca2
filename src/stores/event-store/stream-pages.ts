import { MAX_PAGE, type EventStore, type PersistedEvent } from './port.js';

/** The stored events of a stream, from a revision (by default the first) to its present end, page by page. */
export async function* eventsOfStream(
  store: Pick<EventStore, 'readStream'>,
  stream: string,
  first = 0,
): AsyncGenerator<PersistedEvent> {
  for (let from = first; ;) {
    const page = await store.readStream(stream, { from, limit: MAX_PAGE });
    yield* page;
    if (page.length < MAX_PAGE) return;
    from = page.at(-1)!.revision + 1;
  }
}
