import type {
  CaseTaskInput,
  CaseTaskResult,
  CaseTaskRun,
  RunCaseTask,
} from '../audit/cases/tasks/case-task.js';
import type { OwnDataInput, OwnDataResult } from '../audit/own-data/own-data-task.js';
import type { ServerStoreConfiguration } from '../stores/store-configuration.js';
import { taskInThread, type TaskThread } from './task-in-thread.js';

/** What is done in such a thread: a task about a case, or the making of a copy of what is stored about a person. */
export type CaseThreadInput = CaseTaskInput | OwnDataInput;

const entry = new URL('./case-task-thread.js', import.meta.url);

/** Where every message has lain and the tree of the whole log are in it. */
const resourceLimits = { maxOldGenerationSizeMb: 384, maxYoungGenerationSizeMb: 16 };

const threadOf = (name: string): TaskThread => ({ entry, name, resourceLimits });

/** Does tasks about cases, each in a thread of its own, with stores of its own, which it closes when it ends. */
export function caseTaskInThread(configuration: ServerStoreConfiguration): RunCaseTask {
  return taskInThread<CaseTaskInput, CaseTaskResult>(configuration, threadOf('a case'));
}

/** Makes copies of what is stored about people, in such threads as well. */
export function ownDataInThread(
  configuration: ServerStoreConfiguration,
): (input: OwnDataInput, run: CaseTaskRun) => Promise<OwnDataResult> {
  return taskInThread<OwnDataInput, OwnDataResult>(configuration, threadOf('a copy of own data'));
}
