import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { MongoClient } from 'mongodb';
import { connectMongoKeyStore } from '../../src/stores/key-store/mongodb/mongo-key-store.js';
import { KeyStoreUnavailableError, type KeyStore, type WrappedKey } from '../../src/stores/key-store/port.js';
import { connectMongoQueueStore } from '../../src/stores/queue-store/mongodb/mongo-queue-store.js';
import {
  QueueStoreUnavailableError,
  type QueueStore,
  type StoredQueue,
} from '../../src/stores/queue-store/port.js';
import { FaultyLink } from '../support/faulty-link.js';
import { describeOnMongo, mongoDatabaseUrl } from './mongo-database.js';

let database: string;
let link: FaultyLink;
let keys: KeyStore;
let queues: QueueStore;

function keyOf(id: string): WrappedKey {
  return { id, wrappedBy: null, wrapped: Buffer.from(`wrapped ${id}`) };
}

function queueOf(id: string): StoredQueue {
  return {
    id,
    userId: 1,
    holder: 'a process',
    options: '{}',
    base: 1,
    settled: 1,
    acknowledged: 1,
    first: null,
    until: 9_000_000_000_000,
  };
}

describeOnMongo('Stores on a MongoDB that they are cut off from', () => {
  beforeEach(async () => {
    database = mongoDatabaseUrl('cut_off');
    const { hostname, port } = new URL(database);
    link = await FaultyLink.to({ host: hostname, port: Number(port || 27_017) });
    const url = new URL(database);
    url.host = link.address;
    url.searchParams.set('serverSelectionTimeoutMS', '300');
    [keys, queues] = await Promise.all([
      connectMongoKeyStore({ url: url.href }),
      connectMongoQueueStore({ url: url.href }),
    ]);
  });

  afterEach(async () => {
    await link.mend();
    await Promise.all([keys.close(), queues.close()]);
    await link.cut();
    const client = await MongoClient.connect(database);
    await client.db().dropDatabase();
    await client.close();
  });

  it('say of keys that they were not stored, and store them once they reach it again', async () => {
    await keys.putIfAbsent([keyOf('before')]);
    await link.cut();
    await expect(keys.putIfAbsent([keyOf('meanwhile')])).rejects.toBeInstanceOf(KeyStoreUnavailableError);
    await link.mend();
    expect((await keys.get(['before', 'meanwhile'])).size).toBe(1);
    const stored = await keys.putIfAbsent([keyOf('meanwhile')]);
    expect(stored.map((key) => key?.id)).toEqual(['meanwhile']);
    expect((await keys.get(['before', 'meanwhile'])).size).toBe(2);
  });

  it('say of queues that they were not stored, and store them once they reach it again', async () => {
    await queues.put([queueOf('before')]);
    await link.cut();
    await expect(queues.put([queueOf('meanwhile')])).rejects.toBeInstanceOf(QueueStoreUnavailableError);
    await link.mend();
    expect(await queues.find('meanwhile')).toBeNull();
    expect(await queues.put([queueOf('meanwhile')])).toEqual([]);
    expect(await queues.find('meanwhile')).toMatchObject({ id: 'meanwhile' });
  });

  it('store what is new of keys of which some are there', async () => {
    await keys.putIfAbsent([keyOf('b')]);
    const other = { ...keyOf('b'), wrapped: Buffer.from('another') };
    const stored = await keys.putIfAbsent([keyOf('a'), other, keyOf('c')]);
    expect(stored.map((key) => String(key?.wrapped))).toEqual(['wrapped a', 'wrapped b', 'wrapped c']);
    expect((await keys.get(['a', 'b', 'c'])).size).toBe(3);
  });
});
