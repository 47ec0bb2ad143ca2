import { LogSealed, SEALS_STREAM } from '../../events/audit.js';
import { isEvent, type Recorded } from '../../kernel/event.js';
import type { EventLog } from './event-log.js';
import type { EventStore, PersistedEvent } from './port.js';

type Seals = Pick<EventStore, 'readStream'>;

/** The last seal; null: the log has none yet. */
export async function lastSeal(
  log: Pick<EventLog, 'readStream'>,
): Promise<Recorded<typeof LogSealed> | null> {
  const [last] = await log.readStream(SEALS_STREAM, { direction: 'backwards', limit: 1 });
  return isEvent(last, LogSealed) ? last : null;
}

/**
 * Reads seals as they are stored, newest first.
 *
 * @param before only seals with a smaller revision; null: from the newest on
 */
export async function storedSeals(
  store: Seals,
  { before, limit }: { readonly before: number | null; readonly limit: number },
): Promise<readonly PersistedEvent[]> {
  if (before === 0) return [];
  const from = before === null ? {} : { from: before - 1 };
  return store.readStream(SEALS_STREAM, { direction: 'backwards', limit, ...from });
}

/**
 * Finds the last seal before a position. EventStoreDB can start reading its log only at the position of an event.
 * Because the log is sealed regularly, reading can start at a seal shortly before any position.
 *
 * @returns its position; null: there is no seal before it
 */
export function sealBefore(store: Seals, position: number): Promise<number | null> {
  return lastSealWhere(store, (seal) => seal.position < position);
}

/**
 * Finds the last seal that was made before a time, in milliseconds since the UNIX epoch.
 *
 * @returns its position; null: there is no seal before it
 */
export function sealBeforeTime(store: Seals, time: number): Promise<number | null> {
  return lastSealWhere(store, ({ metadata }) => Number(metadata['at']) < time);
}

/** @param isBefore true for all seals up to some revision, and false for all later ones */
async function lastSealWhere(
  store: Seals,
  isBefore: (seal: PersistedEvent) => boolean,
): Promise<number | null> {
  const [last] = await storedSeals(store, { before: null, limit: 1 });
  let found: number | null = null;
  let [low, high] = [0, last?.revision ?? -1];
  while (low <= high) {
    const middle = Math.floor((low + high) / 2);
    const [seal] = await store.readStream(SEALS_STREAM, { from: middle, limit: 1 });
    if (seal !== undefined && isBefore(seal)) {
      found = seal.position;
      low = middle + 1;
    } else {
      high = middle - 1;
    }
  }
  return found;
}
