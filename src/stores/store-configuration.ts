import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Configuration } from '../config.js';
import { OperatorError } from '../kernel/errors.js';

/** The part of the configuration that opening stores needs. */
export type StoreConfiguration = Pick<
  Configuration,
  'dataDirectory' | 'eventStoreUrl' | 'mongodbUrl' | 'serverKeyFile'
>;

/** The same for a process that answers requests. */
export type ServerStoreConfiguration = StoreConfiguration & Pick<Configuration, 's3'>;

/** The part of a configuration for threads that open stores of their own. */
export function storeConfigurationOf({
  dataDirectory,
  eventStoreUrl,
  mongodbUrl,
  serverKeyFile,
}: StoreConfiguration): StoreConfiguration {
  return { dataDirectory, eventStoreUrl, mongodbUrl, serverKeyFile };
}

/** There is no log to read. */
class NoLogError extends OperatorError {
  override readonly name = 'NoLogError';
  constructor(directory: string) {
    super(`There is no event log in DATA_DIR ${directory}: start the server once, or name another directory`);
  }
}

/** Nobody can tell whether there is a log, because the data directory cannot be read. */
class UnreadableDirectoryError extends OperatorError {
  override readonly name = 'UnreadableDirectoryError';
  constructor(directory: string, cause: Error) {
    super(`DATA_DIR ${directory} cannot be read: run the command as the user of the server`, {
      cause,
    });
  }
}

/** A restore was interrupted: the data directory is incomplete. */
class RestoreUnfinishedError extends OperatorError {
  override readonly name = 'RestoreUnfinishedError';
  constructor(directory: string) {
    super(`A restore into DATA_DIR ${directory} was cut off: repeat it, or name another directory`);
  }
}

/** An import was interrupted: the log is incomplete. */
class ImportUnfinishedError extends OperatorError {
  override readonly name = 'ImportUnfinishedError';
  constructor(directory: string) {
    super(
      `An import with DATA_DIR ${directory} was cut off: run "palimpsest audit import" again with the same export, or use another directory and empty stores`,
    );
  }
}

/**
 * Checks that a data directory contains a log, if the log is configured to be there.
 *
 * @throws NoLogError, UnreadableDirectoryError, RestoreUnfinishedError, ImportUnfinishedError
 */
export function requireLog({
  dataDirectory,
  eventStoreUrl,
}: Pick<StoreConfiguration, 'dataDirectory' | 'eventStoreUrl'>): void {
  refuseUnfinishedRestore(dataDirectory);
  refuseUnfinishedImport(dataDirectory);
  if (eventStoreUrl === null && !isLogHere(dataDirectory)) throw new NoLogError(dataDirectory);
}

/** Whether a data directory has an embedded log. @throws UnreadableDirectoryError */
export function isLogHere(dataDirectory: string): boolean {
  try {
    return statSync(logFile(dataDirectory), { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOTDIR') return false;
    throw new UnreadableDirectoryError(dataDirectory, error as Error);
  }
}

/** The file that exists in a data directory during a restore. */
export function unfinishedRestoreFile(dataDirectory: string): string {
  return join(dataDirectory, 'restore.unfinished');
}

export function refuseUnfinishedRestore(dataDirectory: string): void {
  if (existsSync(unfinishedRestoreFile(dataDirectory))) throw new RestoreUnfinishedError(dataDirectory);
}

/** The file that exists in a data directory during an import, wherever the log is stored. */
export function unfinishedImportFile(dataDirectory: string): string {
  return join(dataDirectory, 'import.unfinished');
}

/** @throws ImportUnfinishedError */
export function refuseUnfinishedImport(dataDirectory: string): void {
  if (existsSync(unfinishedImportFile(dataDirectory))) throw new ImportUnfinishedError(dataDirectory);
}

/** The embedded log's file in a data directory. */
export function logFile(dataDirectory: string): string {
  return join(dataDirectory, 'events.sqlite');
}
