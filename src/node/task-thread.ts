import { parentPort, workerData } from 'node:worker_threads';
import { reasonOf } from '../../projections/engine/poison-event.js';
import { asApplicationError } from '../http/as-application-error.js';
import { STOP } from './run-thread.js';
import type { TaskThreadData, TaskThreadMessage } from './task-in-thread.js';

/** A task's connection to the caller. */
export interface ThreadTask {
  /** Aborted when the caller cancels. */
  readonly signal: AbortSignal;
  /** Reports the progress, 0 to 1. */
  readonly reportProgress: (progress: number) => void;
}

/**
 * The main function of a task's thread: runs the task with the input of the thread, sends the result and ends.
 *
 * @throws Error outside of a worker thread
 */
export async function runTaskThread<Input, Result>(
  perform: (data: TaskThreadData<Input>, task: ThreadTask) => Promise<Result>,
): Promise<void> {
  const port = parentPort;
  if (port === null) throw new Error('This module runs in a worker thread');
  const ending = new AbortController();
  port.on('message', (message) => message === STOP && ending.abort());
  const send = (message: TaskThreadMessage<Result>): void => port.postMessage(message);
  const { signal } = ending;
  try {
    const task = { signal, reportProgress: (progress: number): void => send({ type: 'progress', progress }) };
    send({ type: 'done', result: await perform(workerData as TaskThreadData<Input>, task) });
  } catch (error) {
    if (!signal.aborted) {
      const { row } = asApplicationError(error);
      if (row === 'internalError') throw error;
      send({ type: 'refused', row, reason: reasonOf(error) });
    }
  } finally {
    port.close();
  }
}
