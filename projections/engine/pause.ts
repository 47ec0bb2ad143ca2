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

/** Pauses repeated work after failures of what it depends on: longer after each of them, until the work succeeds. */
export class FailurePause {
  private readonly backoff: Backoff;
  private notBefore = 0;

  /** @param concerns whether the work pauses after an error */
  constructor(
    bounds: BackoffBounds,
    private readonly concerns: (error: unknown) => boolean,
  ) {
    this.backoff = new Backoff(bounds);
  }

  /**
   * Does the work, unless it pauses.
   *
   * @param now milliseconds since the UNIX epoch
   * @throws what the work throws
   */
  async run(now: number, work: () => Promise<void>): Promise<void> {
    if (now < this.notBefore) return;
    try {
      await work();
      this.backoff.reset();
    } catch (error) {
      if (this.concerns(error)) this.notBefore = now + this.backoff.next();
      throw error;
    }
  }
}
