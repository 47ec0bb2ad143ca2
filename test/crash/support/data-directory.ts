import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStores, type Stores } from '../../../src/stores/stores.js';
import type { ServerStores } from '../../support/server-stores.js';

/** Makes an empty data directory that outlives the servers on it. */
export function newDataDirectory(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'palimpsest-crash-'));
}

export function removeDataDirectory(directory: string): Promise<void> {
  return rm(directory, { recursive: true, force: true });
}

/** Looks into the stores of a server that does not run, and closes them again. */
export async function withStoresOf<Result>(
  directory: string,
  look: (stores: Stores) => Promise<Result>,
  environment: ServerStores['environment'] = {},
): Promise<Result> {
  const { EVENTSTORE_URL = null, MONGODB_URL = null, SERVER_KEY_FILE } = environment;
  const stores = await openStores({
    dataDirectory: directory,
    eventStoreUrl: EVENTSTORE_URL,
    mongodbUrl: MONGODB_URL,
    s3: null,
    serverKeyFile: SERVER_KEY_FILE ?? join(directory, 'server.key'),
  });
  try {
    return await look(stores);
  } finally {
    await stores.close();
  }
}
