import type { Configuration } from '../config.js';
import { waitForStores, type StoreServers } from '../node/wait-for-stores.js';

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
