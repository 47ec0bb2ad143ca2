import { chmodSync, closeSync, openSync } from 'node:fs';

/**
 * Makes sure that a SQLite file is there and that its owner alone can read it; SQLite gives its -wal and -shm files the same mode.
 *
 * A file that exists is not opened: closing it again would drop the locks that this process's other connections hold on it (POSIX
 * locks belong to the process), and the next process that comes and goes would take itself for the last one and remove the
 * write-ahead log from under them.
 */
export function makePrivateFile(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  chmodSync(file, 0o600);
}
