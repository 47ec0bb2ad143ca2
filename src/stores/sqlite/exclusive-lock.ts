import Database from 'libsql';
import { makePrivateFile, openingFile } from './database-file.js';

/** An exclusive right that at most one process holds. The operating system releases it when the process dies. */
export interface ExclusiveLock {
  release(): void;
}

/**
 * Takes a lock, which is a SQLite file. The folder must exist.
 *
 * @returns null when somebody holds the lock
 */
export function takeExclusiveLock(file: string): ExclusiveLock | null {
  makePrivateFile(file);
  const database = openingFile(file, () => new Database(file, { timeout: 0 }));
  try {
    database.exec('PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    if (isBusy(error)) return null;
    throw error;
  }
  return { release: () => database.close() };
}

function isBusy(error: unknown): boolean {
  return (
    error instanceof Error &&
    /SQLITE_BUSY|database is locked/.test(`${String((error as { code?: unknown }).code)} ${error.message}`)
  );
}
