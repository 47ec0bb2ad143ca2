import { toSeconds } from '../../kernel/clock.js';
import { failure } from '../../kernel/errors.js';

/**
 * @param dueAt seconds since the UNIX epoch
 * @param now milliseconds since the UNIX epoch
 * @throws ApplicationError `dueTimePassed`
 */
export function refuseNotFuture(dueAt: number, now: number): void {
  if (dueAt <= toSeconds(now)) throw failure('dueTimePassed');
}
