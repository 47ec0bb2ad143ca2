import type { Configuration } from '../config.js';
import { waitForStores, type StoreServers } from '../node/wait-for-stores.js';

/** A server that is being restarted is back by then, and somebody sits before the tool. */
const TIMEOUT_SECONDS = 5;

/**
 * The configuration, once the servers that it names can be used.
 *
 * @throws StoreServerError with the address and the reason
 */
export async function reachable<Servers extends StoreServers>(configuration: Servers): Promise<Servers> {
  const storesTimeoutSeconds = Math.min(configuration.storesTimeoutSeconds, TIMEOUT_SECONDS);
  await waitForStores({ ...configuration, storesTimeoutSeconds }, () => undefined);
  return configuration;
}

/** The same where the log alone is needed. */
export async function reachableLog(configuration: Configuration): Promise<Configuration> {
  await reachable({ ...configuration, mongodbUrl: null });
  return configuration;
}
