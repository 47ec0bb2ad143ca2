import { ApplicationError } from '../kernel/errors.js';
import type { ReaderTask, ReaderOutcome, SentRefusal } from './reader-protocol.js';
import type { Waiters } from './waiters.js';

/** Receives the outcome of each task. */
export interface ReaderObserver {
  /** @param seconds for which the task waited for a thread, and for which it ran; null: it did not start */
  taskEnded(kind: string, seconds: { readonly waited: number; readonly took: number | null }): void;
}

/** A task for a reader thread. */
export interface PooledTask extends Pick<ReaderTask, 'kind' | 'input' | 'asReply'> {
  /** Id of the account that sent the query, of a bot that of its owner; null: the server itself. */
  readonly account: number | null;
  /** Whether it may take long: at least one thread is reserved for tasks that do not. */
  readonly isLong: boolean;
  /**
   * Everything besides the account that the result depends on. Waiting tasks of an account that are equal in it run once and share the
   * result. Null: the result is never shared.
   */
  readonly deduplicationKey: unknown;
  /** A description of the task for the server's log, without anything that people wrote. */
  readonly shape: string;
  /** Aborted when the client has disconnected; null: the task cannot be cancelled. */
  readonly signal: AbortSignal | null;
}

/** The outcome of a completed task: its result, or the body of a reply. */
export type PooledAnswer = Extract<ReaderOutcome, { readonly type: 'done' }>;

/** A task that is waiting for a thread, or running. */
export interface QueuedTask extends Omit<PooledTask, 'signal'> {
  isLong: boolean;
  readonly id: number;
  readonly waiters: Waiters<PooledAnswer>;
}

/** Passes an outcome to everybody who waits for a task. */
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
  const error = new ApplicationError(row, message, { code, status, fields });
  if (stack !== null) {
    error.stack = stack;
    [error.cause] = stack.split('\n', 1);
  }
  return error;
}
