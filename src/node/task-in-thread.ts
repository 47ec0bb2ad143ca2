import type { ResourceLimits } from 'node:worker_threads';
import type {
  CaseTaskInput,
  CaseTaskResult,
  CaseTaskRun,
  RunCaseTask,
} from '../audit/cases/tasks/case-task.js';
import type { ExportInput, RunExport } from '../audit/exports/contents/format.js';
import type { MadeExport } from '../audit/exports/exports.decide.js';
import type { OwnDataInput, OwnDataResult } from '../audit/own-data/own-data-task.js';
import { failure } from '../kernel/errors.js';
import type { ServerStoreConfiguration } from '../stores/store-configuration.js';
import type { ApplicationRefusal } from './application-refusal.js';
import { runThread } from './run-thread.js';
import type { ThreadTaskMessage } from './task-thread.js';

/** The input of a task's thread. */
export interface TaskThreadData<Input> {
  readonly configuration: ServerStoreConfiguration;
  readonly input: Input;
}

/** The thread's messages. The progress is 0 to 1. */
type TaskThreadMessage<Result> = ThreadTaskMessage<number, Result, ApplicationRefusal>;

/** The thread that runs tasks of a kind. */
interface TaskThread {
  /** The module that the thread runs: see `runTaskThread`. */
  readonly entry: URL;
  /** The name of the thread in the error for a task that ends without an outcome. */
  readonly name: string;
  readonly resourceLimits: ResourceLimits;
}

/** Options of a task. */
interface TaskOptions {
  /** Called with the progress, 0 to 1. */
  readonly report?: (progress: number) => Promise<void> | void;
  /** Cancels the task when it is aborted: then it fails with `unavailable`. */
  readonly signal: AbortSignal;
}

/** Runs tasks, each in a separate thread that opens its own stores and closes them when it ends. */
function taskInThread<Input, Result>(
  configuration: ServerStoreConfiguration,
  { entry, name, resourceLimits }: TaskThread,
): (input: Input, options: TaskOptions) => Promise<Result> {
  return async (input, { report = () => {}, signal }) => {
    const workerData: TaskThreadData<Input> = { configuration, input };
    const { outcome, fault } = await runThread<TaskThreadMessage<Result>>(
      { entry, workerData, resourceLimits },
      {
        signal,
        onProgress: ({ progress }) => void report(progress),
      },
    );
    if (outcome?.type === 'done') return outcome.result;
    if (outcome?.type === 'refused') throw refusedFor(outcome);
    if (signal.aborted) throw failure('unavailable');
    throw new Error(`The thread of ${name} ended without an answer`, { cause: fault });
  };
}

function refusedFor({ row, reason }: ApplicationRefusal): Error {
  const refusal = failure(row as 'unavailable');
  refusal.cause = reason;
  return refusal;
}

/** The thread's heap contains all people and permissions, and the ids of every upload and key. */
const resourceLimits = { maxOldGenerationSizeMb: 384, maxYoungGenerationSizeMb: 16 };

/** Makes exports, each in a separate thread that opens its own stores and closes them when it ends. */
export function exportInThread(configuration: ServerStoreConfiguration): RunExport {
  const entry = new URL('./export-thread.js', import.meta.url);
  return taskInThread<ExportInput, MadeExport>(configuration, { entry, name: 'an export', resourceLimits });
}

/** The input of such a thread: a task about a case, or a copy of the data that is stored about a person. */
export type CaseThreadInput = CaseTaskInput | OwnDataInput;

const caseTaskEntry = new URL('./case-task-thread.js', import.meta.url);

const threadOf = (name: string): TaskThread => ({ entry: caseTaskEntry, name, resourceLimits });

/** Runs tasks about cases, each in a separate thread that opens its own stores and closes them when it ends. */
export function caseTaskInThread(configuration: ServerStoreConfiguration): RunCaseTask {
  return taskInThread<CaseTaskInput, CaseTaskResult>(configuration, threadOf('a case'));
}

/** Makes copies of the data that is stored about people, in the same kind of thread. */
export function ownDataInThread(
  configuration: ServerStoreConfiguration,
): (input: OwnDataInput, run: CaseTaskRun) => Promise<OwnDataResult> {
  return taskInThread<OwnDataInput, OwnDataResult>(configuration, threadOf('a copy of own data'));
}
