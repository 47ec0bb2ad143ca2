import type { EventStore, PersistedEvent } from '../../stores/event-store/port.js';
import { CLOCKS_AGREE_WITHIN, type PastMoment } from '../moment.js';
import { sealBefore, sealBeforeTime } from '../../stores/event-store/seals.js';

/** The last event of a moment. */
interface EventAt {
  readonly position: number;
  /** When it was decided, in milliseconds since the UNIX epoch. */
  readonly at: number;
}

/** How to look for it. */
interface PositionSearch {
  readonly onProgress?: (position: number) => void;
  /** Position of an event that is known to be earlier, after which the search starts; absent: that of a seal. */
  readonly after?: number | null;
}

/**
 * Finds the last event that was decided at or before a time, or whose position is at or before a position.
 *
 * @returns null when there is none
 */
export function lastEventAt(
  store: EventStore,
  moment: PastMoment,
  search: PositionSearch = {},
): Promise<EventAt | null> {
  return 'time' in moment
    ? lastDecidedBy(store, moment.time, search)
    : lastEventAtOrBefore(store, moment.position, search);
}

async function lastDecidedBy(
  store: EventStore,
  time: number,
  { onProgress = () => {}, after: known }: PositionSearch,
): Promise<EventAt | null> {
  let found: EventAt | null = null;
  const after = known ?? (await including(store, await sealBeforeTime(store, time - CLOCKS_AGREE_WITHIN)));
  for await (const { events, position } of store.readAll({ after })) {
    let earliest = Infinity;
    for (const event of events) {
      const at = decidedAt(event);
      earliest = Math.min(earliest, at);
      if (at <= time) found = { position: event.position, at };
    }
    if (events.length > 0 && earliest > time + CLOCKS_AGREE_WITHIN) break;
    onProgress(position);
  }
  return found;
}

async function lastEventAtOrBefore(
  store: EventStore,
  position: number,
  { onProgress = () => {}, after: known }: PositionSearch,
): Promise<EventAt | null> {
  let found: EventAt | null = null;
  const after = known ?? (await including(store, await sealBefore(store, position)));
  for await (const page of store.readAll({ after })) {
    onProgress(page.position);
    for (const event of page.events) {
      if (event.position <= position) found = { position: event.position, at: decidedAt(event) };
    }
    if (page.position >= position) break;
  }
  return found;
}

/** The position to read after so that the seal itself is included, since it may be the event that is looked for. */
async function including(store: EventStore, seal: number | null): Promise<number | null> {
  return seal === null ? null : sealBefore(store, seal);
}

function decidedAt({ metadata }: PersistedEvent): number {
  return Number(metadata['at']);
}
