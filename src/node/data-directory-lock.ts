import { join } from 'node:path';
import { makeDataDirectory } from '../runtime/data-directory.js';
import { OperatorError } from '../kernel/errors.js';
import { takeExclusiveLock, type ExclusiveLock } from '../stores/sqlite/exclusive-lock.js';

/** Another process is using the data directory. */
class DataDirectoryInUseError extends OperatorError {
  override readonly name = 'DataDirectoryInUseError';
  constructor(directory: string) {
    super(
      `Another server runs on DATA_DIR ${directory}: stop it first, or give this one a directory of its own`,
    );
  }
}

/**
 * Locks a data directory, and creates it if it is missing.
 *
 * @throws DataDirectoryInUseError, DataDirectoryError
 */
export function lockDataDirectory(directory: string): ExclusiveLock {
  makeDataDirectory(directory);
  const lock = takeExclusiveLock(join(directory, 'lock.sqlite'));
  if (lock === null) throw new DataDirectoryInUseError(directory);
  return lock;
}
