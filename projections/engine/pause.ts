import { setTimeout as delay } from 'node:timers/promises';

/** Waits, or returns early without an error when the signal is aborted. */
export async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  try {
    await delay(milliseconds, undefined, { signal });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

/** The first and the maximum delay of a {@link Backoff}, in milliseconds. */
export interface BackoffBounds {
  readonly first: number;
  readonly max: number;
}

/** Delays that double from `first` up to `max`. */
export class Backoff {
  private upcoming: number;

  constructor(private readonly bounds: BackoffBounds) {
    this.upcoming = bounds.first;
  }

  /** The next delay, in milliseconds. */
  next(): number {
    const milliseconds = this.upcoming;
    this.upcoming = Math.min(milliseconds * 2, this.bounds.max);
    return milliseconds;
  }

  /** Starts again with the first delay. */
  reset(): void {
    this.upcoming = this.bounds.first;
  }
}
