import type { Configuration } from '../config.js';
import { checkStores } from '../node/complete-stores.js';
import { lockDataDirectory } from '../node/data-directory-lock.js';
import { openBegunStores, type Stores } from '../stores/stores.js';
import { requireLog } from '../stores/store-configuration.js';
import { reachable } from './reachable-stores.js';

/**
 * Does something with the stores of a data directory that no server runs on, and closes them.
 *
 * @param work begins once it is known that the log has not lost its end: an event would take the place of one that is missing
 * @throws NoLogError, LogIncompleteError, and what `work` throws
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
