import type { Configuration } from '../config.js';
import { checkStores } from '../node/complete-stores.js';
import { lockDataDirectory } from '../node/data-directory-lock.js';
import { openBegunStores, type Stores } from '../stores/stores.js';
import { requireLog } from '../stores/store-configuration.js';
import { reachable } from './reachable-stores.js';

/**
 * Runs a task on the stores of a data directory that no server uses, and closes them.
 *
 * @param work called after checking that the end of the log is not missing: otherwise a new event would take the position of a lost one
 * @throws NoLogError, LogIncompleteError, and the errors of `work`
 */
export async function withStoresHere<Result>(
  configuration: Configuration,
  work: (stores: Stores) => Promise<Result>,
): Promise<Result> {
  requireLog(configuration);
  const lock = lockDataDirectory(configuration.dataDirectory);
  try {
    const stores = await openBegunStores(await reachable(configuration));
    try {
      await checkStores(stores);
      return await work(stores);
    } finally {
      await stores.close();
    }
  } finally {
    lock.release();
  }
}
