import { chmodSync, closeSync, existsSync, openSync } from 'node:fs';

/**
 * Makes sure that a SQLite file is there and that its owner alone can read it; SQLite gives its -wal and -shm files the same mode.
 *
 * A file that exists is not opened: closing it again would drop the locks that this process's other connections hold on it (POSIX
 * locks belong to the process), and the next process that comes and goes would take itself for the last one and remove the
 * write-ahead log from under them.
 */
export function makePrivateFile(file: string): void {
  // A link to a place where the file is yet to be made counts as missing.
  if (!existsSync(file)) closeSync(openSync(file, 'a', 0o600));
  chmodSync(file, 0o600);
}
