import type { Configuration } from '../config.js';
import { checkStores } from '../node/complete-stores.js';
import { lockDataDirectory } from '../node/data-directory-lock.js';
import { waitForStores, type StoreServers } from '../node/wait-for-stores.js';
import { requireLog } from '../stores/store-configuration.js';
import { openBegunStores, type Stores } from '../stores/stores.js';

/** Long enough for a server that restarts, and not too long for a person who waits. */
const TIMEOUT_SECONDS = 5;

/**
 * Waits until the configured servers can be reached, and returns the configuration.
 *
 * @throws StoreServerError with the address and the reason
 */
export async function reachable<Servers extends StoreServers>(configuration: Servers): Promise<Servers> {
  const storesTimeoutSeconds = Math.min(configuration.storesTimeoutSeconds, TIMEOUT_SECONDS);
  await waitForStores({ ...configuration, storesTimeoutSeconds }, () => undefined);
  return configuration;
}

/** The same for the event store alone. */
export async function reachableLog(configuration: Configuration): Promise<Configuration> {
  await reachable({ ...configuration, mongodbUrl: null });
  return configuration;
}

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
