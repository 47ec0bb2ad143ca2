import 'reflect-metadata';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { CaseTaskResult } from '../audit/cases/tasks/case-task.js';
import { runCaseTask } from '../audit/cases/tasks/run-case-task.js';
import type { OwnDataResult } from '../audit/own-data/own-data-task.js';
import { writeOwnData } from '../audit/own-data/write-own-data.js';
import { loadSigningKey } from '../audit/sealing/signing-key.js';
import { openFilesToRead } from '../stores/stores.js';
import { openLogToRead } from '../stores/open-log.js';
import { applicationRefusal } from './application-refusal.js';
import type { CaseThreadInput, TaskThreadData } from './task-in-thread.js';
import { runTaskThread, type ThreadTask } from './task-thread.js';

/** The smallest step of progress that is reported. */
const STEP = 0.005;

/** Opens the thread's own stores and runs the task. */
async function perform(
  { configuration, input }: TaskThreadData<CaseThreadInput>,
  { signal, reportProgress }: ThreadTask<number>,
): Promise<CaseTaskResult | OwnDataResult> {
  const stores = await openLogToRead(configuration);
  const opened = await openFilesToRead(configuration, stores.vault);
  let reported = 0;
  const report = async (progress: number): Promise<void> => {
    if (progress - reported >= STEP) reportProgress((reported = progress));
    // Lets the thread receive messages, such as the one to stop.
    await yieldToEventLoop();
  };
  try {
    const { log } = stores;
    const now = new Date().toISOString();
    if (input.kind === 'own-data')
      return await writeOwnData({ log, files: opened.files, now }, input, { signal, report });
    const signingKey = await loadSigningKey(configuration.dataDirectory);
    const sources = { log, files: opened.files, signingKey, now };
    return await runCaseTask(sources, input, { signal, report });
  } finally {
    await opened.close();
    await stores.close();
  }
}

await runTaskThread(perform, applicationRefusal);
