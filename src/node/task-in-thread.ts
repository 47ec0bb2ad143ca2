import type { ResourceLimits } from 'node:worker_threads';
import { failure, type ErrorName } from '../kernel/errors.js';
import type { ServerStoreConfiguration } from '../stores/store-configuration.js';
import { runThread } from './run-thread.js';

/** The input of a task's thread. */
export interface TaskThreadData<Input> {
  readonly configuration: ServerStoreConfiguration;
  readonly input: Input;
}

/** The thread's messages. */
export type TaskThreadMessage<Result> =
  | { readonly type: 'progress'; readonly progress: number }
  | { readonly type: 'done'; readonly result: Result }
  /** A name from the table of errors, of one without fields. */
  | { readonly type: 'refused'; readonly row: ErrorName };

/** The thread that runs tasks of a kind. */
export interface TaskThread {
  /** The module that the thread runs: see `runTaskThread`. */
  readonly entry: URL;
  /** The name of the thread in the error for a task that ends without an answer. */
  readonly name: string;
  readonly resourceLimits: ResourceLimits;
}

/** Options of a task. */
export interface TaskOptions {
  /** Called with the progress, 0 to 1. */
  readonly report?: (progress: number) => Promise<void> | void;
  /** Cancels the task when it is aborted: then it fails with `unavailable`. */
  readonly signal: AbortSignal;
}

/** Runs tasks, each in a separate thread that opens its own stores and closes them when it ends. */
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
