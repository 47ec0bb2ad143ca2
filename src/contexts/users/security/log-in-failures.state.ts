import { securityStream, type SecurityEvent } from '../../../events/security.js';
import type { Fold } from '../../../kernel/fold.js';
import type { RecordedEvent } from '../../../kernel/event.js';
import type { FoldedStream } from '../../../kernel/decision.js';

/** Milliseconds within which only a few failed log-ins of a person are recorded individually. */
export const FAILURES_WINDOW = 3_600_000;

/** The recently recorded failed log-ins of a person. */
export interface LogInFailures {
  /** Time of the first, in milliseconds since the UNIX epoch; null: there was none. */
  readonly since: number | null;
  /** How many were recorded within {@link FAILURES_WINDOW} from that time. */
  readonly recorded: number;
}

/** Folds the failed log-ins of a person. */
export const logInFailuresFold: Fold<LogInFailures, RecordedEvent<SecurityEvent>> = {
  initial: { since: null, recorded: 0 },
  evolve(state, { type, metadata: { at } }) {
    if (type !== 'LogInFailed') return state;
    const isOver = state.since === null || at - state.since >= FAILURES_WINDOW;
    return isOver ? { since: at, recorded: 1 } : { ...state, recorded: state.recorded + 1 };
  },
};

/** The stream of an account's security events. */
export function securityOf(userId: number): FoldedStream<LogInFailures, RecordedEvent<SecurityEvent>> {
  return { stream: securityStream(userId), fold: logInFailuresFold };
}
