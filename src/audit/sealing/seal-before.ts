import type { EventStore, PersistedEvent } from '../../stores/event-store/port.js';
import { sealsStream } from '../../events/audit.js';

type Seals = Pick<EventStore, 'readStream'>;

/**
 * Position of the last seal before a position. EventStoreDB reads its log only from where an event is: since the log is sealed
 * again and again, it can be read from a little before any position.
 *
 * @returns null: nothing was sealed before it
 */
export function sealBefore(store: Seals, position: number): Promise<number | null> {
  return lastSeal(store, (seal) => seal.position < position);
}

/**
 * Position of the last seal that was made before a time, in milliseconds since the UNIX epoch.
 *
 * @returns null: nothing was sealed before it
 */
export function sealBeforeTime(store: Seals, time: number): Promise<number | null> {
  return lastSeal(store, ({ metadata }) => Number(metadata['at']) < time);
}

/** @param isBefore holds of the seals up to some place, and of none behind it */
async function lastSeal(store: Seals, isBefore: (seal: PersistedEvent) => boolean): Promise<number | null> {
  const [last] = await store.readStream(sealsStream, { direction: 'backwards', limit: 1 });
  let found: number | null = null;
  let [low, high] = [0, last?.revision ?? -1];
  while (low <= high) {
    const middle = Math.floor((low + high) / 2);
    const [seal] = await store.readStream(sealsStream, { from: middle, limit: 1 });
    if (seal !== undefined && isBefore(seal)) {
      found = seal.position;
      low = middle + 1;
    } else {
      high = middle - 1;
    }
  }
  return found;
}
