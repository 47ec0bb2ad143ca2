import type { FastifyReply } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../kernel/clock.js';
import { ApplicationError, errorTable } from '../../kernel/errors.js';

/** Timestamps within the last `milliseconds`, at most `limit` of them. */
export class SlidingWindow {
  private readonly times: number[] = [];
  private first = 0;
  private count = 0;

  constructor(
    private readonly limit: number,
    private readonly milliseconds: number,
  ) {}

  /** How many are in the window. */
  countAt(now: number): number {
    if (this.count > 0 && this.newest() > now) this.clear();
    while (this.count > 0 && this.oldest() <= now - this.milliseconds) {
      this.first = (this.first + 1) % this.limit;
      this.count -= 1;
    }
    return this.count;
  }

  /** When the oldest one leaves the window; `now` when it is empty. */
  freeAt(now: number): number {
    return this.countAt(now) === 0 ? now : this.oldest() + this.milliseconds;
  }

  /** Adds one; the caller has checked that there is room. */
  add(now: number): void {
    this.times[(this.first + this.count) % this.limit] = now;
    this.count += 1;
  }

  /** Also used when the clock was set back, so that nobody waits for a time that lies in a wrong future. */
  clear(): void {
    this.count = 0;
  }

  private oldest(): number {
    return this.times[this.first] ?? 0;
  }

  private newest(): number {
    return this.times[(this.first + this.count - 1) % this.limit] ?? 0;
  }
}

/** How many of something are allowed in any window of time. */
interface RateLimit {
  /** 0: no limit. */
  readonly limit: number;
  readonly milliseconds: number;
}

/** How much of a limit is left. Times are in milliseconds since the UNIX epoch. */
interface Quota {
  readonly allowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** When the next one is available. */
  readonly resetAt: number;
  readonly now: number;
}

/** Maximum number of keys that a limiter remembers; the least recently used is dropped first. */
const MAX_KEYS = 50_000;

/** Counts exactly by key, over any window of time, in bounded memory. */
export class RateLimiter {
  /**
   * Bounded by size, with size 1 for each: with a maximum number of entries the cache would allocate memory
   * for all of them at once.
   */
  private readonly windows = new LRUCache<string | number, SlidingWindow>({
    maxSize: MAX_KEYS,
    sizeCalculation: () => 1,
  });

  constructor(
    private readonly rate: RateLimit,
    private readonly clock: Clock,
  ) {}

  /** Uses one, if one is left. */
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

  /** Resets the count of a key. */
  forget(key: string | number): void {
    this.windows.delete(key);
  }
}

/** RATE_LIMIT_HIT with the exhausted quota, from which the reply's headers are made. */
export class RateLimitError extends ApplicationError {
  constructor(readonly quota: Quota) {
    const { code, status, message } = errorTable.rateLimitHit;
    const fields = { 'retry-after': Math.max(0, quota.resetAt - quota.now) / 1000 };
    super('rateLimitHit', message(fields), { code, status, fields });
  }
}

/** Sets the headers with the remaining quota, on successes and errors alike. */
export function setQuotaHeaders(reply: FastifyReply, { limit, remaining, resetAt }: Quota): void {
  reply.header('x-ratelimit-limit', limit);
  reply.header('x-ratelimit-remaining', remaining);
  reply.header('x-ratelimit-reset', Math.ceil(resetAt / 1000));
}
