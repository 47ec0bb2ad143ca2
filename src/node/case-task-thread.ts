import 'reflect-metadata';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { runCaseTask } from '../audit/cases/tasks/run-case-task.js';
import type { CaseTaskResult } from '../audit/cases/tasks/case-task.js';
import type { OwnDataResult } from '../audit/own-data/own-data-task.js';
import { writeOwnData } from '../audit/own-data/write-own-data.js';
import { asApplicationError } from '../http/as-application-error.js';
import { loadSigningKey } from '../audit/sealing/signing-key.js';
import { openFilesToRead, openLogToRead } from '../stores/stores.js';
import { STOP, type CaseThreadData, type CaseThreadMessage } from './case-task-in-thread.js';

/** How much progress is worth telling. */
const STEP = 0.005;

/** The thread's entry: opens its own stores, does the task, tells and ends. */
async function main(port: NonNullable<typeof parentPort>): Promise<void> {
  const ending = new AbortController();
  port.on('message', (message) => message === STOP && ending.abort());
  const tell = (message: CaseThreadMessage): void => port.postMessage(message);
  try {
    tell({ type: 'done', result: await perform(ending.signal, tell) });
  } catch (error) {
    if (!ending.signal.aborted) {
      const { row } = asApplicationError(error);
      if (row === 'internalError') throw error;
      tell({ type: 'refused', row });
    }
  } finally {
    port.close();
  }
}

async function perform(
  signal: AbortSignal,
  tell: (message: CaseThreadMessage) => void,
): Promise<CaseTaskResult | OwnDataResult> {
  const { configuration, input } = workerData as CaseThreadData;
  const stores = await openLogToRead(configuration);
  const opened = await openFilesToRead(configuration, stores.vault);
  let told = 0;
  const report = async (progress: number): Promise<void> => {
    if (progress - told >= STEP) tell({ type: 'progress', progress: (told = progress) });
    // What it is told meanwhile, such as to end, has its turn.
    await nextTurn();
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

if (parentPort === null) throw new Error('This module runs in a worker thread');
await main(parentPort);
