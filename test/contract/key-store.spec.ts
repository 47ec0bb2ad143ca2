import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { randomBytes, randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import Database from 'libsql';
import { MongoClient } from 'mongodb';
import { openEmbeddedKeyStore } from '../../src/stores/key-store/embedded/embedded-key-store.js';
import { connectMongoKeyStore } from '../../src/stores/key-store/mongodb/mongo-key-store.js';
import { KeyStoreUnavailableError, type KeyStore, type WrappedKey } from '../../src/stores/key-store/port.js';
import { describeOnMongo, mongoDatabaseUrl } from './mongo-database.js';

const folder = mkdtempSync(join(tmpdir(), 'key-store-'));
afterAll(() => rmSync(folder, { recursive: true }));

function someKey(
  id: string = randomUUID(),
  wrappedBy: string | null = 'user:7',
): WrappedKey & { wrapped: Buffer } {
  return { id, wrappedBy, wrapped: randomBytes(60) };
}

function plain(key: WrappedKey | null | undefined): unknown {
  return key && { ...key, wrapped: Buffer.from(key.wrapped).toString('hex') };
}

function contract(open: () => Promise<KeyStore>): void {
  let store: KeyStore;
  beforeEach(async () => {
    store = await open();
  });
  afterEach(() => store.close());

  it('gives back the keys that were put, by id, and nothing for unknown ids', async () => {
    const keys = [someKey(), someKey('user:8', null)];
    expect((await store.putIfAbsent(keys)).map(plain)).toEqual(keys.map(plain));
    const found = await store.get([keys[0]!.id, 'user:8', randomUUID()]);
    expect([...found.keys()].sort()).toEqual(keys.map((key) => key.id).sort());
    for (const key of keys) expect(plain(found.get(key.id))).toEqual(plain(key));
  });

  it('answers no keys when none are asked for', async () => {
    expect(await store.get([])).toEqual(new Map());
    expect(await store.putIfAbsent([])).toEqual([]);
    await store.destroy([]);
  });

  it('lets an existing key stand and answers it in place of the other', async () => {
    const first = someKey();
    const other = someKey();
    await store.putIfAbsent([first]);
    const answers = await store.putIfAbsent([other, someKey(first.id, null)]);
    expect(answers.map(plain)).toEqual([plain(other), plain(first)]);
    expect(plain((await store.get([first.id])).get(first.id))).toEqual(plain(first));
  });

  it('answers one and the same key to writers that race for an id', async () => {
    const id = randomUUID();
    const answers = await Promise.all(Array.from({ length: 20 }, () => store.putIfAbsent([someKey(id)])));
    expect(new Set(answers.map(([key]) => JSON.stringify(plain(key)))).size).toBe(1);
  });

  it('answers each of many calls with its own keys', async () => {
    const calls = Array.from({ length: 20 }, (_, index) =>
      Array.from({ length: index % 4 }, () => someKey()),
    );
    const answers = await Promise.all(calls.map((keys) => store.putIfAbsent(keys)));
    expect(answers.map((keys) => keys.map(plain))).toEqual(calls.map((keys) => keys.map(plain)));
  });

  it('answers the same key twice when one call names it twice', async () => {
    const first = someKey();
    expect((await store.putIfAbsent([first, someKey(first.id)])).map(plain)).toEqual([
      plain(first),
      plain(first),
    ]);
  });

  it('never gives a destroyed key again, nor takes another under its id', async () => {
    const [kept, destroyed] = [someKey(), someKey()];
    await store.putIfAbsent([kept, destroyed]);
    await store.destroy([destroyed.id]);
    const unknown = randomUUID();
    const found = await store.get([kept.id, destroyed.id, unknown]);
    expect(plain(found.get(kept.id))).toEqual(plain(kept));
    expect(found.get(destroyed.id)).toBeNull();
    expect(found.has(unknown)).toBe(false);
    expect((await store.putIfAbsent([someKey(destroyed.id), kept])).map(plain)).toEqual([null, plain(kept)]);
    expect((await store.get([destroyed.id])).get(destroyed.id)).toBeNull();
  });

  it('keeps an id from ever being used when it is destroyed before there is a key', async () => {
    const id = randomUUID();
    await store.destroy([id]);
    await store.destroy([id]);
    expect(await store.putIfAbsent([someKey(id)])).toEqual([null]);
  });

  it('keeps keys and tombstones when it is opened again', async () => {
    const [kept, destroyed] = [someKey(), someKey()];
    await store.putIfAbsent([kept, destroyed]);
    await store.destroy([destroyed.id]);
    await store.close();
    store = await open();
    expect(plain((await store.get([kept.id])).get(kept.id))).toEqual(plain(kept));
    expect(await store.putIfAbsent([someKey(destroyed.id)])).toEqual([null]);
  });

  it('lists the keys that the server wraps, and wraps them anew but for those that were destroyed meanwhile', async () => {
    const [one, two, three] = ['!a', '!b', '!c'].map((name) => someKey(`${name}:${randomUUID()}`, null));
    await store.putIfAbsent([one!, two!, three!, someKey()]);
    const first = await store.wrappedByServer('', 2);
    expect(first.map(plain)).toEqual([plain(one), plain(two)]);
    expect((await store.wrappedByServer(two!.id, 1)).map(plain)).toEqual([plain(three)]);
    await store.destroy([two!.id]);
    const anew = [one!, two!].map(({ id }) => someKey(id, null));
    await store.rewrap(anew);
    const found = await store.get([one!.id, two!.id]);
    expect(plain(found.get(one!.id))).toEqual(plain(anew[0]));
    expect(found.get(two!.id)).toBeNull();
    await store.rewrap([someKey('never', null)]);
    expect((await store.get(['never'])).has('never')).toBe(false);
  });

  it('takes notes of one new name that come at once', async () => {
    const names = Array.from({ length: 20 }, () => randomUUID());
    await Promise.all(
      names.flatMap((name) => [store.writeNote(name, 'text'), store.writeNote(name, 'text')]),
    );
    for (const name of names) expect(await store.readNote(name)).toBe('text');
  });

  it('keeps the last note of each name', async () => {
    const name = randomUUID();
    expect(await store.readNote(name)).toBeNull();
    await store.writeNote(name, 'first');
    await store.writeNote(name, 'second');
    expect(await store.readNote(name)).toBe('second');
    expect(await store.readNote(randomUUID())).toBeNull();
  });

  it('reads a thousand keys at once', async () => {
    const keys = Array.from({ length: 1000 }, () => someKey());
    await store.putIfAbsent(keys);
    expect((await store.get(keys.map((key) => key.id))).size).toBe(1000);
  });

  it('refuses calls once it is closed, and may be closed twice', async () => {
    await store.close();
    await store.close();
    await expect(store.get(['user:1'])).rejects.toThrow(KeyStoreUnavailableError);
    await expect(store.putIfAbsent([someKey()])).rejects.toThrow(KeyStoreUnavailableError);
    await expect(store.destroy(['user:1'])).rejects.toThrow(KeyStoreUnavailableError);
  });
}

describe('the embedded key store', () => {
  const file = join(folder, 'keys.sqlite');
  contract(async () => openEmbeddedKeyStore({ file }));

  it('finishes what was asked for before it closes', async () => {
    const store = openEmbeddedKeyStore({ file });
    const key = someKey();
    const put = store.putIfAbsent([key]);
    await store.close();
    expect((await put).map(plain)).toEqual([plain(key)]);
  });

  it('lets nobody but its owner read its files', async () => {
    const store = openEmbeddedKeyStore({ file });
    await store.putIfAbsent([someKey()]);
    const files = readdirSync(folder).filter((name) => name.startsWith('keys.sqlite'));
    expect(files).toContain('keys.sqlite-wal');
    for (const name of files) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
    await store.close();
  });

  it('leaves no byte of a destroyed key in its files', async () => {
    const store = openEmbeddedKeyStore({ file });
    const keys = Array.from({ length: 50 }, () => someKey());
    await store.putIfAbsent(keys);
    const bytes = (): Buffer =>
      Buffer.concat(
        readdirSync(folder)
          .filter((name) => name.startsWith('keys.sqlite'))
          .map((name) => readFileSync(join(folder, name))),
      );
    expect(bytes().includes(keys[20]!.wrapped)).toBe(true);
    await store.destroy([keys[20]!.id]);
    expect(bytes().includes(keys[20]!.wrapped)).toBe(false);
    expect(bytes().includes(Buffer.from(keys[20]!.wrapped.subarray(12, 28)))).toBe(false);
    expect(bytes().includes(keys[21]!.wrapped)).toBe(true);
    await store.close();
  });

  it('serves others while the bytes of a destroyed key wait for somebody who still reads them', async () => {
    const store = openEmbeddedKeyStore({ file });
    const key = someKey();
    await store.putIfAbsent([key]);
    const reader = new Database(file);
    reader.exec('BEGIN');
    reader.prepare('SELECT count(*) FROM keys').get();
    const order: string[] = [];
    const destroyed = store.destroy([key.id]).then(() => order.push('destroyed'));
    const next = someKey();
    expect((await store.putIfAbsent([next])).map(plain)).toEqual([plain(next)]);
    order.push('put');
    reader.exec('COMMIT');
    reader.close();
    await destroyed;
    expect(order).toEqual(['put', 'destroyed']);
    await store.close();
  });
});

describeOnMongo('the MongoDB key store', () => {
  const url = mongoDatabaseUrl('keys');
  contract(() => connectMongoKeyStore({ url }));

  afterAll(async () => {
    const client = await MongoClient.connect(url);
    await client.db().dropDatabase();
    await client.close();
  });
});
