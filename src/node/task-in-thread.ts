import { Worker, type ResourceLimits } from 'node:worker_threads';
import { failure, type ErrorName } from '../kernel/errors.js';
import type { ServerStoreConfiguration } from '../stores/stores.js';

/** What the thread of a task is started with. */
export interface TaskThreadData<Input> {
  readonly configuration: ServerStoreConfiguration;
  readonly input: Input;
}

/** What it tells. */
export type TaskThreadMessage<Result> =
  | { readonly type: 'progress'; readonly progress: number }
  | { readonly type: 'done'; readonly result: Result }
  /** By a row of the table of errors without fields. */
  | { readonly type: 'refused'; readonly row: ErrorName };

/** What it is told when nobody waits any more; it ends by itself: one that is ended in a statement takes the process with it. */
export const STOP = 'stop';

/** Which thread does the tasks. */
export interface TaskThread {
  /** The module that runs in it: see `runTaskThread`. */
  readonly entry: URL;
  /** What the errors of one that ends without an answer call it by. */
  readonly name: string;
  readonly resourceLimits: ResourceLimits;
}

/** How a task is run. */
export interface TaskOptions {
  /** Told how much of the work is done, 0 to 1. */
  readonly report?: (progress: number) => Promise<void> | void;
  /** Ends the task when it is aborted: then it is refused with `unavailable`. */
  readonly signal: AbortSignal;
}

/** Does tasks, each in a thread of its own, with stores of its own, which it closes when it ends. */
export function taskInThread<Input, Result>(
  configuration: ServerStoreConfiguration,
  { entry, name, resourceLimits }: TaskThread,
): (input: Input, options: TaskOptions) => Promise<Result> {
  return (input, { report = () => {}, signal }) =>
    new Promise((resolve, reject) => {
      const workerData: TaskThreadData<Input> = { configuration, input };
      const thread = new Worker(entry, { workerData, resourceLimits });
      const stop = (): void => thread.postMessage(STOP);
      let answer: TaskThreadMessage<Result> | null = null;
      let fault: unknown = null;
      thread.on('message', (message: TaskThreadMessage<Result>) => {
        if (message.type === 'progress') void report(message.progress);
        else answer = message;
      });
      thread.once('error', (error) => (fault = error));
      // Only then its stores are closed.
      thread.once('exit', () => {
        signal.removeEventListener('abort', stop);
        if (answer?.type === 'done') resolve(answer.result);
        else if (answer?.type === 'refused') reject(failure(answer.row as 'unavailable'));
        else if (signal.aborted) reject(failure('unavailable'));
        else reject(new Error(`The thread of ${name} ended without an answer`, { cause: fault }));
      });
      if (signal.aborted) stop();
      else signal.addEventListener('abort', stop, { once: true });
    });
}
