import { chmodSync, closeSync, existsSync, openSync } from 'node:fs';

/**
 * Makes sure that a SQLite file exists and that only its owner can read it; SQLite gives its -wal and -shm files the same mode.
 *
 * An existing file is not opened, because closing it would release the locks of this process's other connections (POSIX locks belong to the
 * process). The next process to close the file would then consider itself the last one, and remove the write-ahead log while it is in use.
 */
export function makePrivateFile(file: string): void {
  // A dangling link counts as missing.
  if (!existsSync(file)) closeSync(openSync(file, 'a', 0o600));
  chmodSync(file, 0o600);
}
