import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStores, type Stores } from '../../src/stores/stores.js';

/** Embedded stores in a temporary directory. */
export interface TemporaryStores extends Stores {
  readonly directory: string;
  /** Closes and reopens the stores, as a restart does. */
  reopen(): Promise<TemporaryStores>;
  /** Closes the stores and removes the directory. */
  dispose(): Promise<void>;
}

/** Opens empty stores. */
export async function openTemporaryStores(): Promise<TemporaryStores> {
  return openIn(await mkdtemp(join(tmpdir(), 'palimpsest-stores-')));
}

/** Opens the embedded stores of a data directory. */
export function openEmbeddedStores(directory: string): Promise<Stores> {
  const serverKeyFile = join(directory, 'server.key');
  return openStores({
    dataDirectory: directory,
    eventStoreUrl: null,
    mongodbUrl: null,
    s3: null,
    serverKeyFile,
  });
}

async function openIn(directory: string): Promise<TemporaryStores> {
  const stores = await openEmbeddedStores(directory);
  const reopen = async (): Promise<TemporaryStores> => {
    await stores.close();
    return openIn(directory);
  };
  const dispose = async (): Promise<void> => {
    await stores.close();
    await rm(directory, { recursive: true, force: true });
  };
  return { ...stores, directory, reopen, dispose };
}
