import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe } from '@jest/globals';
import { MongoClient } from 'mongodb';
import { openEmbeddedReadStore } from '../../../src/stores/read-store/embedded/embedded-read-store.js';
import { connectMongoReadStore } from '../../../src/stores/read-store/mongodb/mongo-read-store.js';
import type { ReadControl, ReadStore } from '../../../src/stores/read-store/port.js';
import { mongoDatabaseUrl, mongoUrl } from '../mongo-database.js';

/** Where a store keeps its data: opened once for every node that shares it. */
export interface ReadStorePlace {
  readonly adapter: 'embedded' | 'mongodb';
  /** @param control told of reads; absent: nobody is */
  open(control?: ReadControl): Promise<ReadStore>;
  /** Removes the data, once every store is closed. */
  destroy(): Promise<void>;
}

/** A place in a new temporary folder. */
export function embeddedPlace(): ReadStorePlace & { readonly directory: string } {
  const directory = mkdtempSync(join(tmpdir(), 'read-store-'));
  return {
    adapter: 'embedded',
    directory,
    open: (control) => Promise.resolve(openEmbeddedReadStore({ directory, ...(control && { control }) })),
    destroy: () => Promise.resolve(rmSync(directory, { recursive: true })),
  };
}

/** The same, read as reader threads do: by statements that can be ended. */
export function interruptiblePlace(): ReadStorePlace {
  const place = embeddedPlace();
  const unlimited: ReadControl = { deadline: () => null, running: () => {}, rowsRead: () => {} };
  return { ...place, open: (control = unlimited) => place.open(control) };
}

/** A place in a new database of the server that MONGODB_URL names. */
export function mongoPlace(): ReadStorePlace {
  const url = mongoDatabaseUrl('read_store');
  return {
    adapter: 'mongodb',
    open: (control) => connectMongoReadStore({ url, ...(control && { control }) }),
    async destroy() {
      const client = await MongoClient.connect(url);
      await client.db().dropDatabase();
      await client.close();
    },
  };
}

/** Runs a suite on each adapter; on MongoDB only where a server is named, and says so where none is. */
export function describeReadStores(suite: (place: () => ReadStorePlace) => void): void {
  describe('embedded', () => suite(embeddedPlace));
  describe('embedded, interruptible', () => suite(interruptiblePlace));
  if (mongoUrl === undefined)
    describe.skip('mongodb (NOT RUN: MONGODB_URL is not set)', () => suite(mongoPlace));
  else describe('mongodb', () => suite(mongoPlace));
}
