import { setTimeout as delay } from 'node:timers/promises';

const FIRST_DELAY = 25;
const LONGEST_DELAY = 2_000;

/** Growing pauses between attempts, in milliseconds. */
export class Backoff {
  #next = FIRST_DELAY;

  /** Waits, at most `limit` milliseconds; returns early when `signal` aborts. */
  async pause({ limit = LONGEST_DELAY, signal }: { limit?: number; signal?: AbortSignal }): Promise<void> {
    const pause = Math.min(this.#next, limit);
    this.#next = Math.min(this.#next * 2, LONGEST_DELAY);
    await delay(pause, undefined, signal ? { signal } : {}).catch(() => undefined);
  }

  reset(): void {
    this.#next = FIRST_DELAY;
  }
}
