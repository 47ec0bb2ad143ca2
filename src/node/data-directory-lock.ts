import { join } from 'node:path';
import Database from 'libsql';
import { makeDataDirectory } from '../runtime/data-directory.js';
import { OperatorError } from '../kernel/errors.js';
import { makePrivateFile, openingFile } from '../stores/sqlite/database-file.js';

/** Another process is using the data directory. */
class DataDirectoryInUseError extends OperatorError {
  override readonly name = 'DataDirectoryInUseError';
  constructor(directory: string) {
    super(
      `Another server runs on DATA_DIR ${directory}: stop it first, or give this one a directory of its own`,
    );
  }
}

/** The exclusive right to use a data directory. The operating system releases it when the process dies. */
interface DataDirectoryLock {
  release(): void;
}

/**
 * Locks a data directory, and creates it if it is missing.
 *
 * @throws DataDirectoryInUseError, DataDirectoryError
 */
export function lockDataDirectory(directory: string): DataDirectoryLock {
  makeDataDirectory(directory);
  const file = join(directory, 'lock.sqlite');
  makePrivateFile(file);
  const database = openingFile(file, () => new Database(file, { timeout: 0 }));
  try {
    database.exec('PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    throw isBusy(error) ? new DataDirectoryInUseError(directory) : error;
  }
  return { release: () => database.close() };
}

function isBusy(error: unknown): boolean {
  return (
    error instanceof Error &&
    /SQLITE_BUSY|database is locked/.test(`${String((error as { code?: unknown }).code)} ${error.message}`)
  );
}
