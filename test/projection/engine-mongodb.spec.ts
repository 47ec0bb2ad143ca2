import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { MongoClient } from 'mongodb';
import { journalCollection } from '../../projections/engine/batch-journal.js';
import { engineTiming } from '../../projections/engine/timing.js';
import type { Projection } from '../../projections/engine/projection.js';
import { connectMongoReadStore } from '../../src/stores/read-store/mongodb/mongo-read-store.js';
import { journalName, ReadStoreUnavailableError, type ReadStore } from '../../src/stores/read-store/port.js';
import { describeOnMongo, mongoDatabaseUrl } from '../contract/mongo-database.js';
import { appendHistory } from './support/accounts-history.js';
import { accountsProjection } from './support/accounts.projection.js';
import { buildOptions, buildServing, rebuiltDigest, storedDigest } from './support/building.js';
import { cutShort } from './support/cut-short.js';
import { MemoryReadStore } from './support/memory-read-store.js';
import { run } from './support/running.js';
import { append, event, openTestLog, type TestLog } from './support/test-log.js';

describeOnMongo('A model on MongoDB', () => {
  const url = mongoDatabaseUrl('engine');
  let log: TestLog;
  let readStore: ReadStore;
  let expected: string;

  beforeAll(async () => {
    log = await openTestLog();
    await appendHistory(log);
    expected = await rebuiltDigest(log, new MemoryReadStore(true), accountsProjection);
    readStore = await connectMongoReadStore({ url });
  });
  afterAll(async () => {
    await readStore.close();
    await log.dispose();
    const client = await new MongoClient(url).connect();
    await client.db().dropDatabase();
    await client.close();
  });

  /** Models of one version would share their collections. */
  const numbered = (version: number): Projection => ({
    ...accountsProjection,
    name: `accounts-${version}`,
    version,
  });

  async function build(store: ReadStore, projection: Projection): Promise<void> {
    const batch = { ...engineTiming.batch, events: 4 };
    await buildServing(log, store, { projection, ...buildOptions({ batch }) });
  }

  it('is equal to that on every other store', async () => {
    await build(readStore, accountsProjection);
    expect(await storedDigest(readStore, accountsProjection, 1)).toBe(expected);
  });

  it.each([0, 1, 2, 5, 9, 14, 20, 27, 33])(
    'survives the death of the process after %i writes',
    async (writes) => {
      const projection = numbered(writes + 10);
      await expect(build(cutShort(readStore, writes), projection)).rejects.toThrow(ReadStoreUnavailableError);
      await build(readStore, projection);
      expect(await storedDigest(readStore, projection, projection.version)).toBe(expected);
    },
  );

  it('leaves nothing of applied events in its journal after that is scrubbed', async () => {
    const projection = numbered(8);
    await build(readStore, projection);
    const model = await readStore.openModel(projection.name, 8, [
      ...projection.collections,
      journalCollection(projection.name),
    ]);
    const { position } = await model.checkpoint();
    // As a part that only the longest batch had.
    const spent = { _id: 7, position: position!, parts: 8, text: 'Something erased.' };
    const pending = { _id: 8, position: position! + 1, parts: 9, text: 'Something to come.' };
    const collection = journalName(projection.name);
    const writes = [spent, pending].map((replacement) => ({
      collection,
      write: { replaceOne: { filter: { _id: replacement._id }, replacement, upsert: true } },
    }));
    await model.commit({ writes, checkpoint: { position }, fencingToken: Number.MAX_SAFE_INTEGER });
    await readStore.scrub();
    expect(await model.collection(collection).find({})).toEqual([pending]);
  });

  it('is kept up with the log, live', async () => {
    const projection = numbered(9);
    const running = await run({ log, readStore }, projection);
    const position = await append(log, event('Opened', 77), event('Paid', 77), event('Closed', 77));
    await running.reaches('live', position);
    await running.stop();
    expect(await storedDigest(readStore, projection, 9)).toBe(
      await rebuiltDigest(log, new MemoryReadStore(true), accountsProjection),
    );
  });
});
