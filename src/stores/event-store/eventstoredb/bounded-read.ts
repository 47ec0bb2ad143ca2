import { StreamNotFoundError } from '@eventstore/db-client';
import type { StreamingRead } from '@eventstore/db-client';
import { Backoff } from './backoff.js';
import { isPermanent, toUnavailable } from './failures.js';

/**
 * Everything that a bounded read returns; nothing when its stream does not exist. Tries again while the server is away.
 * The client keeps no deadline for reads, so this does.
 *
 * @param start begins the read anew
 * @param deadline milliseconds for all attempts together
 * @throws EventStoreUnavailableError
 */
export async function readWithin<Resolved>(
  deadline: number,
  start: () => StreamingRead<Resolved>,
): Promise<readonly Resolved[]> {
  const until = performance.now() + deadline;
  const backoff = new Backoff();
  for (;;) {
    try {
      return await collect(start(), until - performance.now());
    } catch (error) {
      if (error instanceof StreamNotFoundError) return [];
      const left = until - performance.now();
      if (isPermanent(error) || left <= 0) throw toUnavailable(error, false);
      await backoff.pause({ limit: left });
    }
  }
}

async function collect<Resolved>(
  reading: StreamingRead<Resolved>,
  milliseconds: number,
): Promise<Resolved[]> {
  // The client may report an error when the iteration has ended and nobody listens any more.
  reading.on('error', () => undefined);
  const timer = setTimeout(() => reading.destroy(new Error('The read exceeded its deadline')), milliseconds);
  const events: Resolved[] = [];
  try {
    for await (const resolved of reading) events.push(resolved);
    return events;
  } finally {
    clearTimeout(timer);
    void reading.cancel().catch(() => undefined);
  }
}
