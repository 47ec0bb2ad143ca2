import type { RecordedEvent } from '../../src/kernel/event.js';
import type { EventLog } from '../../src/stores/event-store/event-log.js';
import type { ReadAllOptions } from '../../src/stores/event-store/port.js';
import type { TestLog } from './given.js';
import { standIn } from './stand-in.js';

/** Small, so that readers come upon the ends of pages. */
const PAGE_SIZE = 5;

/** A test's log in memory for what reads the whole log in pages, without decrypting. */
export function logOver({ events }: TestLog): EventLog {
  const readAll = async function* ({ after, types }: ReadAllOptions) {
    const rest = events.filter(
      ({ position, type }) => position > (after ?? -1) && types?.includes(type) !== false,
    );
    for (let from = 0; from === 0 || from < rest.length; from += PAGE_SIZE) {
      const page = rest.slice(from, from + PAGE_SIZE);
      const live = from + PAGE_SIZE >= rest.length;
      yield { events: page, position: live ? events.at(-1)!.position : page.at(-1)!.position, live };
    }
  };
  return standIn({
    store: { readAll },
    decodeWithoutDecrypting: (page: readonly RecordedEvent[]) => Promise.resolve(page),
  });
}
