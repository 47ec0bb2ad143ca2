import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { MongoClient } from 'mongodb';
import { connectMongoSignalStore } from '../../src/stores/signal-store/mongodb/mongo-signal-store.js';
import type { SignalStore, StoredSignal } from '../../src/stores/signal-store/port.js';
import { describeOnMongo, mongoDatabaseUrl } from './mongo-database.js';

describeOnMongo('the signal store on MongoDB', () => {
  const url = mongoDatabaseUrl('signals');
  let store: SignalStore;

  beforeAll(async () => {
    store = await connectMongoSignalStore({ url });
  });

  afterAll(async () => {
    await store.close();
    const client = await MongoClient.connect(url);
    await client.db().dropDatabase();
    await client.close();
  });

  const signal = (subject: string, at: number, from = 'one'): StoredSignal => ({
    subject,
    at,
    until: at + 100,
    from,
    content: { type: 'any', nested: [{ of: [1, 2] }], nothing: null },
  });

  it('gives what others put, oldest first, from a time on', async () => {
    await store.put([signal('b', 20), signal('a', 10), signal('c', 30, 'other')]);
    const reader = { self: 'other', now: 0 };
    expect(await store.since(0, reader)).toEqual([signal('a', 10), signal('b', 20)]);
    expect(await store.since(11, reader)).toEqual([signal('b', 20)]);
    expect(await store.since(0, { ...reader, self: 'one' })).toEqual([signal('c', 30, 'other')]);
  });

  it('keeps one signal a subject', async () => {
    await store.put([signal('d', 40)]);
    await store.put([signal('d', 50)]);
    await store.put([]);
    expect(await store.since(40, { self: 'other', now: 0 })).toEqual([signal('d', 50)]);
  });

  it('gives and keeps nothing that is worth nothing any more', async () => {
    expect(await store.since(20, { self: 'none', now: 120 })).toEqual([
      signal('c', 30, 'other'),
      signal('d', 50),
    ]);
    await store.forgetBefore(120);
    expect(await store.since(0, { self: 'none', now: 0 })).toEqual([
      signal('c', 30, 'other'),
      signal('d', 50),
    ]);
  });
});
