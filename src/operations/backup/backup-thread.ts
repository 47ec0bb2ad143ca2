import { parentPort, workerData } from 'node:worker_threads';
import { explain } from '../../runtime/operator-errors.js';
import { BackupInProgressError } from './backup-lock.js';
import { runBackup, type BackupOutcome, type BackupRun } from './run-backup.js';

/** The thread's answer. */
export type BackupThreadAnswer =
  | { readonly made: BackupOutcome }
  | { /** A command is making a backup. */ readonly made: null }
  | { /** A sentence, or a stack trace. */ readonly fault: string };

/** Makes one backup. The thread that answers requests must not read the whole log, compress or encrypt. */
async function answer(): Promise<BackupThreadAnswer> {
  try {
    return { made: await runBackup(workerData as BackupRun) };
  } catch (error) {
    return error instanceof BackupInProgressError ? { made: null } : { fault: explain(error) };
  }
}

// Any message asks the thread to end. It arrives between database statements, which are synchronous here: terminating the thread during
// one could crash the process.
parentPort?.once('message', () => process.exit());
parentPort?.unref();
parentPort?.postMessage(await answer());
