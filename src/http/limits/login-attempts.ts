import type { Configuration } from '../../config.js';
import type { Clock } from '../../kernel/clock.js';
import { nameKey } from '../../kernel/text.js';
import { RateLimitError, RateLimiter } from './rate-limiter.js';

/** How many wrong passwords an account accepts within half an hour. */
const ATTEMPTS = 5;
const HALF_HOUR = 30 * 60_000;

/**
 * Limits log-ins by password, and confirmations by password or code of people who are logged in. They are counted apart, so that
 * strangers who guess a person's password do not keep that person from changing it. An attempt counts from its start, so that
 * concurrent attempts gain nothing; a right password clears the count.
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
   * @param who the name from a log-in request, known or not; the id of an account for a confirmation
   * @throws RateLimitError after too many wrong passwords
   */
  begin(who: string | number): void {
    const quota = this.attempts.take(keyOf(who));
    if (!quota.allowed) throw new RateLimitError(quota);
  }

  /** Call when the password was right. */
  succeed(who: string | number): void {
    this.attempts.forget(keyOf(who));
  }
}

function keyOf(who: string | number): string | number {
  return typeof who === 'number' ? who : nameKey(who.slice(0, 320));
}
