import { StreamNotFoundError, type StreamingRead } from '@eventstore/db-client';
import { Backoff, isPermanent, toUnavailable } from './failures.js';

/**
 * All results of a bounded read; empty when the stream does not exist. Retries while the server is unavailable. The client has no deadline
 * for reads, so this function has one.
 *
 * @param start starts a new read
 * @param deadline total milliseconds for all attempts
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
  // After the iteration has ended, the client may still emit an error, which must not be unhandled.
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
