import type { EventOf } from '../../../kernel/event.js';
import type { LogInFailed, LogInFailuresCounted } from '../../../events/security.js';
import { budgets } from '../../../kernel/budgets.js';
import { FAILURES_WINDOW, type LogInFailures } from './log-in-failures.state.js';

/** A log-in that failed. */
export type FailedLogIn = Omit<EventOf<typeof LogInFailed>['data'], 'userId'>;

/**
 * Records failed log-ins of a person, as many of the first ones as fit into the hour that began with the
 * first, so that continued guessing does not make the log grow. The others are counted.
 *
 * @param now milliseconds since the UNIX epoch
 */
export function decideLogInFailures(
  { since, recorded }: LogInFailures,
  { userId, failures }: { readonly userId: number; readonly failures: readonly FailedLogIn[] },
  now: number,
): readonly EventOf<typeof LogInFailed>[] {
  const isOver = since === null || now - since >= FAILURES_WINDOW;
  const left = budgets.recordedLogInFailures.max - (isOver ? 0 : recorded);
  return failures.slice(0, Math.max(0, left)).map((failure) => ({
    type: 'LogInFailed',
    data: { userId, ...failure },
  }));
}

/** Counts the failed log-ins that were not recorded one by one. */
export function decideCountLogInFailures(
  data: EventOf<typeof LogInFailuresCounted>['data'],
): readonly EventOf<typeof LogInFailuresCounted>[] {
  return [{ type: 'LogInFailuresCounted', data }];
}
