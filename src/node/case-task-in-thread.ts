import type {
  CaseTaskInput,
  CaseTaskResult,
  CaseTaskRun,
  RunCaseTask,
} from '../audit/cases/tasks/case-task.js';
import type { OwnDataInput, OwnDataResult } from '../audit/own-data/own-data-task.js';
import type { ServerStoreConfiguration } from '../stores/store-configuration.js';
import { taskInThread, type TaskThread } from './task-in-thread.js';

/** The input of such a thread: a task about a case, or a copy of the data that is stored about a person. */
export type CaseThreadInput = CaseTaskInput | OwnDataInput;

const entry = new URL('./case-task-thread.js', import.meta.url);

/** The thread's heap contains the locations of every message and the Merkle tree of the whole log. */
const resourceLimits = { maxOldGenerationSizeMb: 384, maxYoungGenerationSizeMb: 16 };

const threadOf = (name: string): TaskThread => ({ entry, name, resourceLimits });

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
