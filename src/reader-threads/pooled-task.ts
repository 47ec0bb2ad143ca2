import { ApplicationError } from '../kernel/errors.js';
import type { ReaderTask, ReaderOutcome, SentRefusal } from './reader-protocol.js';
import type { Waiters } from './waiters.js';

/** Told how tasks went. */
export interface ReaderObserver {
  /** @param seconds that it waited for a thread, and that it then took; null: it did not start */
  taskEnded(kind: string, seconds: { readonly waited: number; readonly took: number | null }): void;
}

/** Something to be done off the thread that answers requests. */
export interface PooledTask extends Pick<ReaderTask, 'kind' | 'input' | 'asReply'> {
  /** Id of the account that asked; null: the server itself. */
  readonly account: number | null;
  /** Whether it may take long: one thread at least is left to what does not. */
  readonly isLong: boolean;
  /**
   * All that the answer depends on, for its account: what waits for a thread is done once for everybody who asks for the same. Null: it
   * is never shared.
   */
  readonly sameness: unknown;
  /** A description of the task for the server's log, without anything that people wrote. */
  readonly shape: string;
  /** Aborted when nobody waits for the answer any more; null: somebody always does. */
  readonly signal: AbortSignal | null;
}

/** What came of it: the result, or the body of a reply. */
export type PooledAnswer = Extract<ReaderOutcome, { readonly type: 'done' }>;

/** A task that waits for a thread, or runs. */
export interface QueuedTask extends Omit<PooledTask, 'signal'> {
  isLong: boolean;
  readonly id: number;
  readonly waiters: Waiters<PooledAnswer>;
}

/** Answers everybody who waits for a task. */
export function answerWaiters({ waiters }: QueuedTask, outcome: ReaderOutcome): void {
  switch (outcome.type) {
    case 'done':
      return waiters.resolve(outcome);
    case 'late':
      return waiters.rejectAsLate();
    case 'refused':
      return waiters.reject(refused(outcome.refusal));
  }
}

function refused({ row, code, status, message, fields, stack }: SentRefusal): ApplicationError {
  const error = new ApplicationError(row, code, status, message, fields);
  if (stack !== null) error.stack = stack;
  return error;
}
