import type { Configuration } from '../../config.js';
import type { Clock } from '../../kernel/clock.js';
import { nameKey } from '../../kernel/text.js';
import { RateLimitError, RateLimiter } from './rate-limiter.js';

/** How many wrong passwords an account accepts within half an hour. */
const ATTEMPTS = 5;
const HALF_HOUR = 30 * 60_000;

/**
 * Limits log-ins by password. An attempt counts from its start, so that concurrent attempts gain nothing; a
 * right password clears the count.
 */
export class LoginAttempts {
  private readonly attempts: RateLimiter;

  constructor({ rateLimitPerMinute }: Pick<Configuration, 'rateLimitPerMinute'>, clock: Clock) {
    this.attempts = new RateLimiter(
      { limit: rateLimitPerMinute === 0 ? 0 : ATTEMPTS, milliseconds: HALF_HOUR },
      clock,
    );
  }

  /**
   * Call before the password is checked.
   *
   * @param name the name from the request, known or not
   * @throws RateLimitError after too many wrong passwords
   */
  begin(name: string): void {
    const quota = this.attempts.take(keyOf(name));
    if (!quota.allowed) throw new RateLimitError(quota);
  }

  /** Call when the password was right. */
  succeed(name: string): void {
    this.attempts.forget(keyOf(name));
  }
}

function keyOf(name: string): string {
  return nameKey(name.slice(0, 320));
}
