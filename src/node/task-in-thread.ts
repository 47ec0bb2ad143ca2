import type { ResourceLimits } from 'node:worker_threads';
import { failure, type ErrorName } from '../kernel/errors.js';
import type { ServerStoreConfiguration } from '../stores/store-configuration.js';
import { runThread } from './run-thread.js';

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
  return async (input, { report = () => {}, signal }) => {
    const workerData: TaskThreadData<Input> = { configuration, input };
    const told: Exclude<TaskThreadMessage<Result>, { type: 'progress' }>[] = [];
    const fault = await runThread<TaskThreadMessage<Result>>(
      { entry, workerData, resourceLimits },
      {
        signal,
        onMessage: (message) => {
          if (message.type === 'progress') void report(message.progress);
          else told.push(message);
        },
      },
    );
    const answer = told.at(-1);
    if (answer?.type === 'done') return answer.result;
    if (answer?.type === 'refused') throw failure(answer.row as 'unavailable');
    if (signal.aborted) throw failure('unavailable');
    throw new Error(`The thread of ${name} ended without an answer`, { cause: fault });
  };
}
