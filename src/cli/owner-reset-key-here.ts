import type { Configuration } from '../config.js';
import { publicUrl } from '../configuration/public-url.js';
import { resetMessage, resetOwnerKey } from '../node/owner-key.js';
import { SystemClock } from '../runtime/system-clock.js';
import { withStoresHere } from './with-stores.js';

/**
 * Gives the owner a new API key while no server runs.
 *
 * @returns the text for the operator
 * @throws NoLogError, LogIncompleteError
 */
export function resetKeyHere(configuration: Configuration): Promise<string> {
  return withStoresHere(configuration, async (stores) => {
    const options = { configuration, stores, clock: new SystemClock() };
    return resetMessage(await resetOwnerKey(options, publicUrl(configuration)));
  });
}
