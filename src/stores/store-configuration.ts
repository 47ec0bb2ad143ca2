import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Configuration } from '../config.js';
import { OperatorError } from '../kernel/errors.js';

/** Where the stores are: what of the configuration opening them depends on. */
export type StoreConfiguration = Pick<
  Configuration,
  'dataDirectory' | 'eventStoreUrl' | 'mongodbUrl' | 'serverKeyFile'
>;

/** The same for a process that answers requests. */
export type ServerStoreConfiguration = StoreConfiguration & Pick<Configuration, 's3'>;

/** What of a configuration is for threads that open stores of their own. */
export function storeConfigurationOf({
  dataDirectory,
  eventStoreUrl,
  mongodbUrl,
  serverKeyFile,
}: StoreConfiguration): StoreConfiguration {
  return { dataDirectory, eventStoreUrl, mongodbUrl, serverKeyFile };
}

/** There is no log to read. */
export class NoLogError extends OperatorError {
  override readonly name = 'NoLogError';
  constructor(directory: string) {
    super(`There is no event log in DATA_DIR ${directory}: start the server once, or name another directory`);
  }
}

/** A restore did not come to its end: what is in the data directory is not whole. */
export class RestoreUnfinishedError extends OperatorError {
  override readonly name = 'RestoreUnfinishedError';
  constructor(directory: string) {
    super(`A restore into DATA_DIR ${directory} was cut off: repeat it, or name another directory`);
  }
}

/**
 * Makes sure that a data directory holds a log, where that is where it lies.
 *
 * @throws NoLogError, RestoreUnfinishedError
 */
export function requireLog({
  dataDirectory,
  eventStoreUrl,
}: Pick<StoreConfiguration, 'dataDirectory' | 'eventStoreUrl'>): void {
  refuseUnfinishedRestore(dataDirectory);
  if (eventStoreUrl === null && !existsSync(logFile(dataDirectory))) throw new NoLogError(dataDirectory);
}

/** What a data directory holds from the beginning of a restore until its end. */
export function unfinishedRestoreFile(dataDirectory: string): string {
  return join(dataDirectory, 'restore.unfinished');
}

export function refuseUnfinishedRestore(dataDirectory: string): void {
  if (existsSync(unfinishedRestoreFile(dataDirectory))) throw new RestoreUnfinishedError(dataDirectory);
}

/** Where the embedded log of a data directory is. */
export function logFile(dataDirectory: string): string {
  return join(dataDirectory, 'events.sqlite');
}
