import { Worker, type ResourceLimits } from 'node:worker_threads';

/**
 * The message that asks a thread to stop. A thread must end by itself: terminating it during a database statement
 * would crash the process.
 */
export const STOP = 'stop';

/** A thread that runs one task and ends. */
interface OneTask {
  /** The module that the thread runs. */
  readonly entry: URL;
  readonly workerData: object;
  /** Absent: the limits of this process. */
  readonly resourceLimits?: ResourceLimits;
}

/** The caller's side of a task. */
interface TaskWaiter<Message> {
  readonly onMessage: (message: Message) => void;
  /** Asks the thread to stop; absent: it always runs to its end. */
  readonly signal?: AbortSignal;
}

/**
 * Runs a thread and waits until it has ended, because only then its stores are closed.
 *
 * @returns the error that the thread failed with; null: none
 */
export function runThread<Message>(
  { entry, ...options }: OneTask,
  { onMessage, signal }: TaskWaiter<Message>,
): Promise<unknown> {
  return new Promise((resolve) => {
    const thread = new Worker(entry, options);
    const stop = (): void => thread.postMessage(STOP);
    let fault: unknown = null;
    thread.on('message', onMessage);
    thread.once('error', (error) => (fault = error));
    thread.once('exit', () => {
      signal?.removeEventListener('abort', stop);
      resolve(fault);
    });
    if (signal?.aborted === true) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });
}
