import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { takeExclusiveLock, type ExclusiveLock } from '../../stores/sqlite/exclusive-lock.js';
import { BackupRefusedError } from './manifest.js';

/** Another process or thread is making a backup of the same data directory. */
export class BackupInProgressError extends BackupRefusedError {
  constructor(directory: string) {
    super(`Another backup of DATA_DIR ${directory} is being made: wait until it is done, and try again.`);
  }
}

/**
 * Makes sure that one backup of a data directory is made at a time, by the server or by a command: a second one would
 * continue from a backup that the first one may delete.
 *
 * @throws BackupInProgressError
 */
export function lockBackups(dataDirectory: string): ExclusiveLock {
  const lock = takeExclusiveLock(join(dataDirectory, 'backup-lock.sqlite'));
  if (lock === null) throw new BackupInProgressError(dataDirectory);
  return lock;
}

/** How the names of the folders for the parts of a backup that is being made begin. */
const STAGING = 'backup-staging';

/**
 * Creates a folder for the parts of one backup, and removes those that interrupted backups left. The caller must hold
 * the lock: then no other folder is in use.
 */
export async function makeStagingFolder(dataDirectory: string): Promise<string> {
  for (const name of await readdir(dataDirectory)) {
    if (name.startsWith(STAGING)) await rm(join(dataDirectory, name), { recursive: true, force: true });
  }
  return mkdtemp(join(dataDirectory, `${STAGING}-`));
}
