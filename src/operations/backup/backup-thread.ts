import { parentPort, workerData } from 'node:worker_threads';
import { explain } from '../../runtime/operator-errors.js';
import { runBackup, type BackupOutcome, type BackupRun } from './run-backup.js';

/** What the thread answers. */
export type BackupThreadAnswer =
  { readonly made: BackupOutcome } | { /** A sentence, or a stack. */ readonly fault: string };

/** Makes one backup: statements over the whole log, compression and encryption are not for the thread that answers requests. */
async function answer(): Promise<BackupThreadAnswer> {
  try {
    return { made: await runBackup(workerData as BackupRun) };
  } catch (error) {
    return { fault: explain(error) };
  }
}

parentPort?.postMessage(await answer());
