import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { MongoClient } from 'mongodb';
import { connectMongoCredentialStore } from '../../src/stores/credential-store/mongodb/mongo-credential-store.js';
import {
  CredentialStoreUnavailableError,
  type CredentialStore,
} from '../../src/stores/credential-store/port.js';
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
let credentials: CredentialStore;

/** What a server that is there may take on a busy machine, and what one that is gone is given: the default, in milliseconds. */
const TIMEOUT = 10_000;

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
    url.searchParams.set('serverSelectionTimeoutMS', String(TIMEOUT));
    [keys, queues, credentials] = await Promise.all([
      connectMongoKeyStore({ url: url.href }),
      connectMongoQueueStore({ url: url.href }),
      connectMongoCredentialStore({ url: url.href }),
    ]);
  });

  afterEach(async () => {
    await link.mend();
    await Promise.all([keys.close(), queues.close(), credentials.close()]);
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

  it('wait as long for a server that hangs as for one that is gone, and continue when it does', async () => {
    await keys.putIfAbsent([keyOf('before')]);
    link.hold();
    const asked = performance.now();
    await Promise.all([
      expect(keys.get(['before'])).rejects.toBeInstanceOf(KeyStoreUnavailableError),
      expect(keys.putIfAbsent([keyOf('meanwhile')])).rejects.toBeInstanceOf(KeyStoreUnavailableError),
      expect(keys.readNote('a note')).rejects.toBeInstanceOf(KeyStoreUnavailableError),
      expect(queues.find('a queue')).rejects.toBeInstanceOf(QueueStoreUnavailableError),
      expect(queues.put([queueOf('meanwhile')])).rejects.toBeInstanceOf(QueueStoreUnavailableError),
      expect(credentials.findApiKey('digest')).rejects.toBeInstanceOf(CredentialStoreUnavailableError),
      expect(credentials.secondFactors.find(1)).rejects.toBeInstanceOf(CredentialStoreUnavailableError),
    ]);
    expect(performance.now() - asked).toBeLessThan(2 * TIMEOUT);
    await link.mend();
    expect((await keys.get(['before'])).size).toBe(1);
    expect(await credentials.findApiKey('digest')).toBeNull();
    await queues.put([queueOf('meanwhile')]);
    expect(await queues.find('meanwhile')).toMatchObject({ id: 'meanwhile' });
  });

  it('store the missing ones of keys of which some exist already', async () => {
    await keys.putIfAbsent([keyOf('b')]);
    const other = { ...keyOf('b'), wrapped: Buffer.from('another') };
    const stored = await keys.putIfAbsent([keyOf('a'), other, keyOf('c')]);
    expect(stored.map((key) => String(key?.wrapped))).toEqual(['wrapped a', 'wrapped b', 'wrapped c']);
    expect((await keys.get(['a', 'b', 'c'])).size).toBe(3);
  });
});
