import { createHash } from 'node:crypto';
import { serialize } from 'node:v8';
import { ApplicationError } from '../kernel/errors.js';
import type { ReaderTask, ReaderOutcome, SentRefusal } from './reader-protocol.js';
import type { Waiters } from './waiters.js';

/** What a task cost. */
export interface TaskCost {
  /** Seconds for which it waited for a thread. */
  readonly waited: number;
  /** Seconds for which it ran, and the number of rows that it read from read models; null: it did not start. */
  readonly ran: { readonly seconds: number; readonly rows: number } | null;
}

/** Receives the cost of each task. */
export interface ReaderObserver {
  taskEnded(kind: string, cost: TaskCost): void;
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
  /** Digest of its `deduplicationKey`; null: it was not compared with another task yet. */
  digest: string | null;
}

/**
 * The digest that tasks are compared by, so that each one's request is read once and not once for every other: it may have thousands of ids.
 * A request can be serialized, because it is sent to a thread.
 */
export function digestOf({ deduplicationKey: key }: Pick<PooledTask, 'deduplicationKey'>): string | null {
  return key === null ? null : createHash('sha256').update(serialize(key)).digest('base64');
}

/** Whether a waiting task is equal to one with this digest. */
export function isAlike(waiting: QueuedTask, digest: string | null): boolean {
  if (digest === null) return false;
  waiting.digest ??= digestOf(waiting);
  return waiting.digest === digest;
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
