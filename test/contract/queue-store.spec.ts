import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MongoClient } from 'mongodb';
import { openEmbeddedQueueStore } from '../../src/stores/queue-store/embedded/embedded-queue-store.js';
import { connectMongoQueueStore } from '../../src/stores/queue-store/mongodb/mongo-queue-store.js';
import type { QueueStore, StoredQueue } from '../../src/stores/queue-store/port.js';
import { describeOnMongo, mongoDatabaseUrl } from './mongo-database.js';

const queue = (id: string, more: Partial<StoredQueue> = {}): StoredQueue => ({
  id,
  userId: 3,
  holder: 'one',
  options: '{"narrow":[]}',
  base: 7,
  settled: 9,
  acknowledged: -1,
  first: null,
  until: 1_000,
  ...more,
});

function contract(open: () => Promise<QueueStore>): void {
  let store: QueueStore;

  beforeAll(async () => {
    store = await open();
  });

  afterAll(() => store.close());

  it('returns the version of a queue that was stored last', async () => {
    expect(await store.find('a')).toBeNull();
    expect(await store.put([queue('a'), queue('b', { userId: 4, settled: 8 })])).toEqual([]);
    expect(await store.find('a')).toEqual(queue('a'));
    const further = queue('a', { settled: 12, acknowledged: 2 ** 40, first: 65_536, until: 2_000 });
    expect(await store.put([further])).toEqual([]);
    expect(await store.find('a')).toEqual(further);
    expect(await store.leastSettled()).toBe(8);
    expect(await store.put([])).toEqual([]);
  });

  it('hands a queue over only once', async () => {
    await store.put([queue('c')]);
    expect(await store.take('c', { from: 'two', to: 'three' })).toBe(false);
    expect(await store.take('c', { from: 'one', to: 'two' })).toBe(true);
    expect(await store.find('c')).toEqual(queue('c', { holder: 'two' }));
    expect(await store.take('d', { from: 'one', to: 'two' })).toBe(false);
  });

  it('removes queues by name, by age, and by the position of their registration', async () => {
    await store.put([queue('e', { holder: 'two' }), queue('f', { until: 10 })]);
    await store.remove(['e', 'f', 'none'], 'three');
    expect(await store.find('e')).not.toBeNull();
    await store.remove(['e', 'none'], 'two');
    expect(await store.find('e')).toBeNull();
    await store.removeBefore(11);
    expect(await store.find('f')).toBeNull();
    expect(await store.find('a')).not.toBeNull();
    await store.put([queue('h', { base: 9 }), queue('i', { base: 10 })]);
    await store.removeRegisteredBefore(10);
    expect(await store.find('h')).toBeNull();
    expect(await store.find('i')).not.toBeNull();
    await store.removeRegisteredBefore(Number.MAX_SAFE_INTEGER);
    expect(await store.find('a')).toBeNull();
    expect(await store.leastSettled()).toBeNull();
  });
}

describe('the embedded store of queues', () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'palimpsest-queues-'));
  });

  afterAll(() => rm(folder, { recursive: true }));

  contract(async () => openEmbeddedQueueStore({ file: join(folder, 'queues.sqlite') }));

  it('still has its queues when it is opened again', async () => {
    const file = join(folder, 'again.sqlite');
    const first = openEmbeddedQueueStore({ file });
    await first.put([queue('a')]);
    await first.close();
    await expect(first.find('a')).rejects.toThrow('closed');
    const second = openEmbeddedQueueStore({ file });
    expect(await second.find('a')).toEqual(queue('a'));
    await second.close();
  });
});

describeOnMongo('the store of queues on MongoDB', () => {
  const url = mongoDatabaseUrl('queues');

  afterAll(async () => {
    const client = await MongoClient.connect(url);
    await client.db().dropDatabase();
    await client.close();
  });

  contract(() => connectMongoQueueStore({ url }));

  it('leaves queues to the process that took them over', async () => {
    const store = await connectMongoQueueStore({ url });
    await store.put([queue('h'), queue('i')]);
    await store.take('h', { from: 'one', to: 'two' });
    expect(await store.put([queue('h', { settled: 99 }), queue('i', { settled: 99 })])).toEqual(['h']);
    expect(await store.find('h')).toEqual(queue('h', { holder: 'two' }));
    expect(await store.find('i')).toEqual(queue('i', { settled: 99 }));
    await store.close();
  });

  it('knows for how long processes said that they live', async () => {
    const store = await connectMongoQueueStore({ url });
    expect(await store.holderUntil('one')).toBeNull();
    await store.noteHolder('one', 50);
    await store.noteHolder('one', 60);
    expect(await store.holderUntil('one')).toBe(60);
    await store.noteHolder('one', null);
    expect(await store.holderUntil('one')).toBeNull();
    await store.close();
  });
});
