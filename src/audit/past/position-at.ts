import type { EventStore } from '../../event-store/port.js';

/** Nodes' clocks differ by much less: once all events of a page are so much later, none of the rest is earlier. */
const CLOCKS_AGREE_WITHIN = 3_600_000;

/**
 * The last event that was decided at a time or before.
 *
 * @param time milliseconds since the UNIX epoch
 * @returns its position, and when it was decided; null when there is none
 */
export async function positionAt(
  store: EventStore,
  time: number,
  onProgress: (position: number) => void = () => {},
): Promise<number | null> {
  let found: number | null = null;
  for await (const { events, position } of store.readAll({ after: null })) {
    let earliest = Infinity;
    for (const event of events) {
      const at = Number(event.metadata['at']);
      earliest = Math.min(earliest, at);
      if (at <= time) found = event.position;
    }
    if (events.length > 0 && earliest > time + CLOCKS_AGREE_WITHIN) break;
    onProgress(position);
  }
  return found;
}
