import { checkStores } from '../node/complete-stores.js';
import { publicUrl, type Configuration } from '../config.js';
import { lockDataDirectory } from '../node/data-directory-lock.js';
import { resetMessage, resetOwnerKey } from '../contexts/organization/owner-key.js';
import { openBegunStores, requireLog } from '../stores/stores.js';
import { SystemClock } from '../runtime/system-clock.js';

/**
 * Gives the owner a new key while no server runs.
 *
 * @returns what the operator is told
 * @throws NoLogError, LogIncompleteError
 */
export async function resetKeyHere(configuration: Configuration): Promise<string> {
  requireLog(configuration);
  const lock = lockDataDirectory(configuration.dataDirectory);
  try {
    const stores = await openBegunStores(configuration);
    try {
      await checkStores(stores);
      const options = { configuration, stores, clock: new SystemClock() };
      return resetMessage(await resetOwnerKey(options, publicUrl(configuration)));
    } finally {
      await stores.close();
    }
  } finally {
    lock.release();
  }
}
