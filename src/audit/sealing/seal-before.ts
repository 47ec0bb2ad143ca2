import type { EventStore } from '../../event-store/port.js';
import { sealsStream } from '../events.js';

/**
 * Position of the last seal before a position. EventStoreDB reads its log only from where an event is: since the log is sealed
 * again and again, it can be read from a little before any position.
 *
 * @returns null: nothing was sealed before it
 */
export async function sealBefore(
  store: Pick<EventStore, 'readStream'>,
  position: number,
): Promise<number | null> {
  const [last] = await store.readStream(sealsStream, { direction: 'backwards', limit: 1 });
  let found: number | null = null;
  let [low, high] = [0, last?.revision ?? -1];
  while (low <= high) {
    const middle = Math.floor((low + high) / 2);
    const [seal] = await store.readStream(sealsStream, { from: middle, limit: 1 });
    if (seal !== undefined && seal.position < position) {
      found = seal.position;
      low = middle + 1;
    } else {
      high = middle - 1;
    }
  }
  return found;
}
