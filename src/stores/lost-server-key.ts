import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { serverKeyChecks } from './key-store/server-key-check.js';
import { ServerKeyError } from './key-store/server-key.js';
import { eventStoreDb, mongoStores } from './server-adapters.js';
import { logFile, type StoreConfiguration } from './store-configuration.js';

/**
 * Checks that the server's key is there if the stores are in use: a new key would open nothing of them. A start that
 * runs at the same time creates its key before its stores, so the key is looked for again after the stores.
 *
 * @throws ServerKeyError
 */
export async function refuseLostServerKey(configuration: StoreConfiguration): Promise<void> {
  const { serverKeyFile } = configuration;
  if (mayBeThere(serverKeyFile)) return;
  const used = storeFileInUse(configuration) ?? (await storeServerInUse(configuration));
  if (used === null || mayBeThere(serverKeyFile)) return;
  throw new ServerKeyError(
    `There is no server key ${serverKeyFile}, but ${used}, which only the server's own key opens: copy the key there, name its file in SERVER_KEY_FILE, or use another DATA_DIR and empty stores`,
  );
}

/** Also a file in a folder that cannot be read: loading the key then says why. */
function mayBeThere(file: string): boolean {
  try {
    return statSync(file, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return true;
  }
}

/** What shows that embedded stores are in use; null: nothing. */
function storeFileInUse({ dataDirectory, eventStoreUrl, mongodbUrl }: StoreConfiguration): string | null {
  const files = [
    ...(eventStoreUrl === null ? [logFile(dataDirectory)] : []),
    ...(mongodbUrl === null ? [keyStoreFile(dataDirectory)] : []),
  ];
  const found = files.find((file) => existsSync(file));
  return found === undefined ? null : `there is ${found}`;
}

/** What shows that servers with stores are in use; null: nothing. */
async function storeServerInUse({ eventStoreUrl, mongodbUrl }: StoreConfiguration): Promise<string | null> {
  if (mongodbUrl !== null) {
    const keyStore = await (await mongoStores()).connectMongoKeyStore({ url: mongodbUrl });
    try {
      if ((await keyStore.get([...serverKeyChecks])).size > 0)
        return 'the database of MONGODB_URL holds keys';
    } finally {
      await keyStore.close();
    }
  }
  if (eventStoreUrl === null) return null;
  const log = (await eventStoreDb()).connectEventStoreDb({ connectionString: eventStoreUrl });
  try {
    return (await log.head()) === null ? null : 'the event log at EVENTSTORE_URL holds events';
  } finally {
    await log.close();
  }
}

/** The file of an embedded key store. */
export function keyStoreFile(dataDirectory: string): string {
  return join(dataDirectory, 'keys.sqlite');
}
