import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { MongoClient } from 'mongodb';
import { OperatorSettings } from '../../projections/engine/operator-settings.js';
import { connectMongoReadStore } from '../../src/stores/read-store/mongodb/mongo-read-store.js';
import { ReadStoreUnavailableError, type ReadStore } from '../../src/stores/read-store/port.js';
import { MongoLink } from '../support/mongodb-link.js';
import { describeOnMongo, mongoDatabaseUrl } from './mongo-database.js';

/** How long the store waits for MongoDB, in milliseconds; once MongoDB answers, a busy machine must be done within it. */
const TIMEOUT = 5_000;

let database: string;
let link: MongoLink;
let store: ReadStore;

describeOnMongo('A read store on a MongoDB that hangs', () => {
  beforeEach(async () => {
    database = mongoDatabaseUrl('hung');
    link = await MongoLink.to(database);
    store = await connectMongoReadStore({
      url: `${link.urlOf(database)}?serverSelectionTimeoutMS=${TIMEOUT}`,
    });
    await store.openModel('engines', 1, [{ name: 'parts', indexes: [] }]);
  });

  afterEach(async () => {
    link.mend();
    await store.close();
    await link.close();
    const client = await MongoClient.connect(database);
    await client.db().dropDatabase();
    await client.close();
  });

  it('refuses in bounded time to list, size, drop, switch and clean versions, and does so once it is answered', async () => {
    link.hold('all but greetings');
    const tasks: Readonly<Record<string, () => Promise<unknown>>> = {
      modelVersions: () => store.modelVersions('engines'),
      usedVersions: () => store.usedVersions('engines'),
      modelBytes: () => store.modelBytes('engines', 1),
      dropModel: () => store.dropModel('engines', 2),
      switchVersion: () => store.switchVersion('engines', null, 1),
      scrub: () => store.scrub(),
      openModel: () => store.openModel('engines', 1, [{ name: 'parts', indexes: [] }]),
    };
    const refused = Object.values(tasks).map((task) =>
      expect(task()).rejects.toBeInstanceOf(ReadStoreUnavailableError),
    );
    await Promise.all(refused);
    link.mend();
    expect(await store.modelVersions('engines')).toEqual([1]);
    await store.scrub();
    expect(await store.dropModel('engines', 2)).toBe(true);
  });

  it('stops waiting for a new index once it hangs, and makes the index when it is answered', async () => {
    const parts = { name: 'parts', indexes: [{ key: { size: 1 } }] } as const;
    link.holdFrom('createIndexes');
    const opening = store.openModel('engines', 1, [parts]);
    await expect(opening).rejects.toBeInstanceOf(ReadStoreUnavailableError);
    link.mend();
    const opened = await store.openModel('engines', 1, [parts]);
    expect(await opened.collection('parts').find({ size: 1 })).toEqual([]);
  });

  it('refuses in bounded time to change the settings of operators, also when it hangs in the middle', async () => {
    const settings = new OperatorSettings(store);
    const pausing = (): Promise<unknown> =>
      settings.change('engines', (present) => ({ ...present, isPaused: true }), 'a process');
    const hanging = settings.change(
      'engines',
      (present) => {
        link.hold('all but greetings');
        return { ...present, isPaused: true };
      },
      'a process',
    );
    await expect(hanging).rejects.toBeInstanceOf(ReadStoreUnavailableError);
    await Promise.all([
      expect(pausing()).rejects.toBeInstanceOf(ReadStoreUnavailableError),
      expect(settings.allDiscarded()).rejects.toBeInstanceOf(ReadStoreUnavailableError),
    ]);
    link.mend();
    await pausing();
    expect(await settings.of('engines')).toMatchObject({ isPaused: true });
  });
});
