import { chmodSync, closeSync, existsSync, openSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import Database from 'libsql';
import { OperatorError } from '../../kernel/errors.js';

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

const ATTEMPTS = 200;
const PAUSE_MILLISECONDS = 25;

/**
 * Writes a file's write-ahead log into the file, and truncates it: it still contains pages from before something was deleted. In the file
 * itself, deleted content is overwritten. Waits for readers and writers without blocking them.
 *
 * @returns false: somebody still used the log after five seconds
 */
export async function truncateJournal(file: string): Promise<boolean> {
  const database = new Database(file, { timeout: 0 });
  try {
    const checkpoint = database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').raw();
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const [busy] = checkpoint.get() as [number];
      if (busy === 0) return true;
      await delay(PAUSE_MILLISECONDS);
    }
    return false;
  } finally {
    database.close();
  }
}

/** A SQLite file cannot be opened, or is damaged. The message is a sentence that names the file. */
class UnreadableFileError extends OperatorError {
  override readonly name: string = 'UnreadableFileError';
}

/** A SQLite file is damaged, or is none. */
export class DamagedFileError extends UnreadableFileError {
  override readonly name = 'DamagedFileError';
}

/**
 * Opens a SQLite file.
 *
 * @throws DamagedFileError, UnreadableFileError for errors that an operator can correct; other errors unchanged
 */
export function openingFile<Opened>(file: string, open: () => Opened): Opened {
  try {
    return open();
  } catch (error) {
    const { code, message } = error as Error & { readonly code?: unknown };
    if (code === 'SQLITE_NOTADB' || code === 'SQLITE_CORRUPT') {
      throw new DamagedFileError(`The file ${file} is damaged (${message}): restore it from a backup`);
    }
    if (code === 'SQLITE_CANTOPEN' || code === 'SQLITE_READONLY' || /^ConnectionFailed\(/.test(message)) {
      throw new UnreadableFileError(
        `The file ${file} cannot be opened: see that its folder is there, and that the server’s user may read and write both`,
      );
    }
    throw error;
  }
}
