import { LRUCache } from 'lru-cache';
import type { Clock } from '../../kernel/clock.js';
import { errorTable, ApplicationError } from '../../kernel/errors.js';
import { SlidingWindow } from './sliding-window.js';

/** How many of something are allowed in any window of time. */
export interface RateLimit {
  /** 0: without limit. */
  readonly limit: number;
  readonly milliseconds: number;
}

/** How much of a limit is left. Times are in milliseconds since the UNIX epoch. */
export interface Quota {
  readonly allowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** When the next one becomes free. */
  readonly resetAt: number;
  readonly now: number;
}

/** The most keys that a limiter remembers; the least recently seen is forgotten first. */
const MAX_KEYS = 50_000;

/** Counts per key, exactly, over any window of time and in bounded memory. */
export class RateLimiter {
  /** Bounded by sizes, each being one: by a number of entries, it would take the memory for all of them at once. */
  private readonly windows = new LRUCache<string | number, SlidingWindow>({
    maxSize: MAX_KEYS,
    sizeCalculation: () => 1,
  });

  constructor(
    private readonly rate: RateLimit,
    private readonly clock: Clock,
  ) {}

  /** Takes one, if there is one left. */
  take(key: string | number): Quota {
    const { limit, milliseconds } = this.rate;
    const now = this.clock.now();
    if (limit === 0) return { allowed: true, limit, remaining: 0, resetAt: now, now };
    const window = this.windows.get(key) ?? new SlidingWindow(limit, milliseconds);
    const allowed = window.countAt(now) < limit;
    if (allowed) {
      window.add(now);
      this.windows.set(key, window);
    }
    return { allowed, limit, remaining: limit - window.countAt(now), resetAt: window.freeAt(now), now };
  }

  /** Gives everything back. */
  forget(key: string | number): void {
    this.windows.delete(key);
  }
}

/** RATE_LIMIT_HIT with the quota that was used up, from which the reply's headers are made. */
export class RateLimitError extends ApplicationError {
  constructor(readonly quota: Quota) {
    const { code, status, message } = errorTable.rateLimitHit;
    const retryAfter = Math.max(0, quota.resetAt - quota.now) / 1000;
    super('rateLimitHit', code, status, message({ 'retry-after': retryAfter }), {
      'retry-after': retryAfter,
    });
  }
}
