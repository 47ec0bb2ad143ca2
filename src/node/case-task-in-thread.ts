import type { CaseTaskInput, CaseTaskResult, RunCaseTask } from '../audit/cases/tasks/case-task.js';
import type { ServerStoreConfiguration } from '../stores/stores.js';
import { taskInThread } from './task-in-thread.js';

/** Where every message has lain and the tree of the whole log are in it. */
const resourceLimits = { maxOldGenerationSizeMb: 384, maxYoungGenerationSizeMb: 16 };

/** Does tasks about cases, each in a thread of its own, with stores of its own, which it closes when it ends. */
export function caseTaskInThread(configuration: ServerStoreConfiguration): RunCaseTask {
  const entry = new URL('./case-task-thread.js', import.meta.url);
  return taskInThread<CaseTaskInput, CaseTaskResult>(configuration, {
    entry,
    name: 'a case',
    resourceLimits,
  });
}
