import { Worker, type ResourceLimits } from 'node:worker_threads';

/** What a thread is told when nobody waits any more; it ends by itself: one that is ended in a statement takes the process with it. */
export const STOP = 'stop';

/** A thread that does one thing and ends. */
export interface OneTask {
  /** The module that runs in it. */
  readonly entry: URL;
  readonly workerData: object;
  /** Absent: those of this process. */
  readonly resourceLimits?: ResourceLimits;
}

/** Somebody who waits for it. */
export interface TaskWaiter<Message> {
  readonly onMessage: (message: Message) => void;
  /** Tells the thread to end; absent: it is waited for in any case. */
  readonly signal?: AbortSignal;
}

/**
 * Runs a thread until it has ended: only then its stores are closed.
 *
 * @returns what it failed with; null: it did not
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
