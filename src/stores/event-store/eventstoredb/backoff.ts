import { setTimeout as delay } from 'node:timers/promises';

const FIRST_DELAY = 25;

/** A short maximum, because people are waiting for their messages to be sent. */
const MAX_DELAY = 250;

/** Growing delays between retries, in milliseconds. */
export class Backoff {
  #next = FIRST_DELAY;

  /** The next delay. */
  next(): number {
    const pause = this.#next;
    this.#next = Math.min(this.#next * 2, MAX_DELAY);
    return pause;
  }

  /** Waits, at most `limit` milliseconds; returns early when `signal` is aborted. */
  async pause({ limit = MAX_DELAY, signal }: { limit?: number; signal?: AbortSignal }): Promise<void> {
    const pause = Math.min(this.next(), limit);
    await delay(pause, undefined, signal ? { signal } : {}).catch(() => undefined);
  }

  reset(): void {
    this.#next = FIRST_DELAY;
  }
}
