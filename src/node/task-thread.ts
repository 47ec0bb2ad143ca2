import { parentPort, workerData } from 'node:worker_threads';
import { OperatorError } from '../kernel/errors.js';
import { STOP } from './run-thread.js';

/** A task's connection to the caller. */
export interface ThreadTask<Progress> {
  /** Aborted when the caller cancels. */
  readonly signal: AbortSignal;
  readonly reportProgress: (progress: Progress) => void;
}

/** The messages of a task's thread. */
export type ThreadTaskMessage<Progress, Result, Refusal> =
  | { readonly type: 'progress'; readonly progress: Progress }
  | { readonly type: 'done'; readonly result: Result }
  | ({ readonly type: 'refused' } & Refusal);

/** The form in which the caller of a thread's task receives an operator's error. */
export interface OperatorRefusal {
  /** A sentence for the operator or the requester. */
  readonly reason: string;
}

/** Null: any other error. */
export function operatorRefusal(error: unknown): OperatorRefusal | null {
  return error instanceof OperatorError ? { reason: error.message } : null;
}

/**
 * The main function of a task's thread: runs the task with the input of the thread, sends the result and ends.
 *
 * @param refusalOf the form in which the caller receives an error; null: it is a fault of the thread
 * @throws Error outside of a worker thread; a fault
 */
export async function runTaskThread<Data, Progress, Result, Refusal extends object>(
  perform: (data: Data, task: ThreadTask<Progress>) => Promise<Result>,
  refusalOf: (error: unknown) => Refusal | null,
): Promise<void> {
  const port = parentPort;
  if (port === null) throw new Error('This module runs in a worker thread');
  const ending = new AbortController();
  port.on('message', (message) => message === STOP && ending.abort());
  const send = (message: ThreadTaskMessage<Progress, Result, Refusal>): void => port.postMessage(message);
  const { signal } = ending;
  try {
    const task = {
      signal,
      reportProgress: (progress: Progress): void => send({ type: 'progress', progress }),
    };
    send({ type: 'done', result: await perform(workerData as Data, task) });
  } catch (error) {
    if (!signal.aborted) {
      const refusal = refusalOf(error);
      if (refusal === null) throw error;
      send({ type: 'refused', ...refusal });
    }
  } finally {
    port.close();
  }
}
