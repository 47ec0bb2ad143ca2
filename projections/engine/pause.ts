import { setTimeout as delay } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';

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

/** Pauses repeated work after failures of what it depends on: longer after each of them, until that works again. */
export class FailurePause {
  private readonly backoff: Backoff;
  private notBefore = -Infinity;

  /**
   * @param concerns whether an error is about what the work depends on; after others, the work does not pause
   * @param now milliseconds of a clock that nobody sets
   */
  constructor(
    bounds: BackoffBounds,
    private readonly concerns: (error: unknown) => boolean,
    private readonly now = () => performance.now(),
  ) {
    this.backoff = new Backoff(bounds);
  }

  /** Whether the work may be done now. */
  get isOver(): boolean {
    return this.now() >= this.notBefore;
  }

  /**
   * Does the work, unless it pauses.
   *
   * @throws what the work throws
   */
  async run(work: () => Promise<void>): Promise<void> {
    if (!this.isOver) return;
    try {
      await work();
    } catch (error) {
      this.noteFailure(error);
      throw error;
    }
    this.noteSuccess();
  }

  /** Of work that {@link run} does not wait for. */
  noteSuccess(): void {
    this.backoff.reset();
  }

  /** Of work that {@link run} does not wait for. Where several fail at once, the first failure counts. */
  noteFailure(error: unknown): void {
    if (!this.isOver) return;
    // Counted from the failure: until then, the work may have waited for longer than the pause is.
    if (this.concerns(error)) this.notBefore = this.now() + this.backoff.next();
    else this.backoff.reset();
  }
}

/** Maximum number of failed items that are remembered. One that is forgotten is retried without waiting for its delay. */
const FAILED = 10_000;

/** Delays before a failed item is retried, in milliseconds. */
const itemBackoff: BackoffBounds = { first: 1_000, max: 60_000 };

interface FailedItem {
  readonly backoff: Backoff;
  readonly notBefore: number;
}

/** When items that failed are tried again: each less and less often, so that none keeps the others from being tried. */
export class ItemRetries {
  private readonly failed = new LRUCache<string, FailedItem>({ max: FAILED });

  /** @param now milliseconds of a clock that nobody sets */
  constructor(private readonly now = () => performance.now()) {}

  /** Whether an item must not be tried yet. */
  isWaiting(key: string): boolean {
    return (this.failed.get(key)?.notBefore ?? -Infinity) > this.now();
  }

  noteFailure(key: string): void {
    const backoff = this.failed.get(key)?.backoff ?? new Backoff(itemBackoff);
    this.failed.set(key, { backoff, notBefore: this.now() + backoff.next() });
  }

  noteSuccess(key: string): void {
    this.failed.delete(key);
  }
}
