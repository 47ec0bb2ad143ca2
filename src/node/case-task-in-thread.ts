import { Worker } from 'node:worker_threads';
import type {
  CaseTaskInput,
  CaseTaskResult,
  CaseTaskRun,
  RunCaseTask,
} from '../audit/cases/tasks/case-task.js';
import type { OwnDataInput, OwnDataResult } from '../audit/own-data/own-data-task.js';
import { failure, type ErrorName } from '../kernel/errors.js';
import type { ServerStoreConfiguration } from '../stores/stores.js';

/** What the thread is started with. */
export interface CaseThreadData {
  readonly configuration: ServerStoreConfiguration;
  readonly input: CaseTaskInput | OwnDataInput;
}

/** What it tells. */
export type CaseThreadMessage =
  | { readonly type: 'progress'; readonly progress: number }
  | { readonly type: 'done'; readonly result: CaseTaskResult | OwnDataResult }
  /** By a row of the table of errors without fields. */
  | { readonly type: 'refused'; readonly row: ErrorName };

/** What it is told when nobody waits any more; it ends by itself: one that is ended in a statement takes the process with it. */
export const STOP = 'stop';

/** Where every message has lain and the tree of the whole log are in it. */
const resourceLimits = { maxOldGenerationSizeMb: 384, maxYoungGenerationSizeMb: 16 };

/** Does tasks about cases, each in a thread of its own, with stores of its own, which it closes when it ends. */
export function caseTaskInThread(configuration: ServerStoreConfiguration): RunCaseTask {
  return inThread<CaseTaskInput, CaseTaskResult>(configuration);
}

/** Makes copies of what is stored about people, in such threads as well. */
export function ownDataInThread(
  configuration: ServerStoreConfiguration,
): (input: OwnDataInput, run: CaseTaskRun) => Promise<OwnDataResult> {
  return inThread<OwnDataInput, OwnDataResult>(configuration);
}

function inThread<Input extends CaseThreadData['input'], Result>(
  configuration: ServerStoreConfiguration,
): (input: Input, run: CaseTaskRun) => Promise<Result> {
  return (input, { report, signal }) =>
    new Promise((resolve, reject) => {
      const workerData: CaseThreadData = { configuration, input };
      const entry = new URL('./case-task-thread.js', import.meta.url);
      const thread = new Worker(entry, { workerData, resourceLimits });
      const stop = (): void => thread.postMessage(STOP);
      let answer: CaseThreadMessage | null = null;
      let fault: unknown = null;
      thread.on('message', (message: CaseThreadMessage) => {
        if (message.type === 'progress') void report(message.progress);
        else answer = message;
      });
      thread.once('error', (error) => (fault = error));
      // Only then its stores are closed.
      thread.once('exit', () => {
        signal.removeEventListener('abort', stop);
        if (answer?.type === 'done') resolve(answer.result as Result);
        else if (answer?.type === 'refused') reject(failure(answer.row as 'unavailable'));
        else if (signal.aborted) reject(failure('unavailable'));
        else reject(new Error('The thread of a case ended without an answer', { cause: fault }));
      });
      if (signal.aborted) stop();
      else signal.addEventListener('abort', stop, { once: true });
    });
}
