import { setTimeout as delay } from 'node:timers/promises';
import { Backoff } from '../../projections/engine/pause.js';
import { isTemporary } from '../../projections/engine/poison-event.js';
import { DeadlineExceededError } from '../stores/read-store/port.js';

/** How often a mapper reads for one event before the event is discarded. */
const TRIES = 4;

/** Delays between the tries, in milliseconds: short, because the events behind wait meanwhile. */
const retryDelays = { first: 25, max: 100 };

/** What a mapper read for an event, or the error that it threw at every try. */
export type MapperRead = { readonly value: unknown } | { readonly error: unknown };

/**
 * Reads for one event. A mapper that throws is tried again a few times; then its last error is returned, so that
 * the events beside it do not wait for it.
 *
 * @throws whatever a store throws while it is unavailable or takes too long: the event is to be tried again later
 */
export async function readWithTries(read: () => Promise<unknown> | undefined): Promise<MapperRead> {
  const backoff = new Backoff(retryDelays);
  for (let tries = 1; ; tries += 1) {
    try {
      return { value: await read() };
    } catch (error) {
      if (isOfStores(error)) throw error;
      if (tries === TRIES) return { error };
      await delay(backoff.next());
    }
  }
}

/** Whether a store caused the error, and not the event. Mappers also use stores and queries that projections do not. */
function isOfStores(error: unknown): boolean {
  return isTemporary(error) || error instanceof DeadlineExceededError;
}

/** An error for the log without its message, which may contain what people wrote. */
export function withoutMessage(error: unknown): {
  readonly kind: string;
  readonly frames: readonly string[];
} {
  if (!(error instanceof Error)) return { kind: typeof error, frames: [] };
  const frames = error.stack?.split('\n').filter((line) => /^\s+at /.test(line)) ?? [];
  return { kind: error.name, frames: frames.map((line) => line.trim()) };
}
