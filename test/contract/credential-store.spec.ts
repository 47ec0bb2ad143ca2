import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import Database from 'libsql';
import { MongoClient } from 'mongodb';
import { openEmbeddedCredentialStore } from '../../src/stores/credential-store/embedded/embedded-credential-store.js';
import { connectMongoCredentialStore } from '../../src/stores/credential-store/mongodb/mongo-credential-store.js';
import {
  CredentialStoreUnavailableError,
  DuplicateApiKeyError,
  type CredentialStore,
  type StoredApiKey,
} from '../../src/stores/credential-store/port.js';
import { describeOnMongo, mongoDatabaseUrl } from './mongo-database.js';

const folder = mkdtempSync(join(tmpdir(), 'credential-store-'));
afterAll(() => rmSync(folder, { recursive: true }));

let lastUserId = 0;
function someKey(userId: number, fields: Partial<StoredApiKey> = {}): StoredApiKey {
  const digest = createHash('sha256').update(randomBytes(16)).digest('hex');
  return {
    userId,
    digest,
    createdAt: 1_700_000_000_123,
    sealed: null,
    client: null,
    lastUsedAt: null,
    ...fields,
  };
}

function plain(key: StoredApiKey | null): unknown {
  return key && { ...key, sealed: key.sealed && Buffer.from(key.sealed).toString('hex') };
}

function contract(open: () => Promise<CredentialStore>): void {
  let store: CredentialStore;
  let userId: number;
  beforeEach(async () => {
    store = await open();
    userId = ++lastUserId;
  });
  afterEach(() => store.close());

  it('has no password until one is set, and then the one set last', async () => {
    expect(await store.passwordHash(userId)).toBeNull();
    await store.setPasswordHash(userId, '$argon2id$first');
    await store.setPasswordHash(userId, '$argon2id$second');
    expect(await store.passwordHash(userId)).toBe('$argon2id$second');
    expect(await store.passwordHash(userId + 1_000_000)).toBeNull();
  });

  it('is given its first password once, however many ask for it at once', async () => {
    const hashes = ['$argon2id$one', '$argon2id$two', '$argon2id$three'];
    const added = await Promise.all(hashes.map((hash) => store.addPasswordHash(userId, hash)));
    expect(added.filter(Boolean)).toHaveLength(1);
    expect(await store.passwordHash(userId)).toBe(hashes[added.indexOf(true)]);
    expect(await store.addPasswordHash(userId, '$argon2id$late')).toBe(false);
  });

  it('has no password any more once it is removed', async () => {
    await store.setPasswordHash(userId, '$argon2id$removed');
    await store.removePasswordHash(userId);
    await store.removePasswordHash(userId);
    expect(await store.passwordHash(userId)).toBeNull();
  });

  it('keeps one key for each device until it is removed', async () => {
    const bytes = (): Uint8Array => new Uint8Array(randomBytes(60));
    const [first, second, other] = [bytes(), bytes(), bytes()];
    const deviceId = ++lastUserId;
    const otherId = ++lastUserId;
    const kept = async (id: number): Promise<string | null> => {
      const sealed = await store.deviceKey(id);
      return sealed && Buffer.from(sealed).toString('hex');
    };
    const hex = (sealed: Uint8Array): string => Buffer.from(sealed).toString('hex');
    expect(await kept(deviceId)).toBeNull();
    await store.setDeviceKey(deviceId, first);
    await store.setDeviceKey(otherId, other);
    await store.setDeviceKey(deviceId, second);
    expect([await kept(deviceId), await kept(otherId)]).toEqual([hex(second), hex(other)]);
    await store.removeDeviceKey(deviceId);
    await store.removeDeviceKey(deviceId);
    expect([await kept(deviceId), await kept(otherId)]).toEqual([null, hex(other)]);
  });

  describe('second factors', () => {
    const sealed = (): Uint8Array => new Uint8Array(randomBytes(60));
    const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
    const enabled = { lastStep: 7, recoveryDigests: ['one', 'two'] };

    it('are begun anew until they are enabled', async () => {
      const { secondFactors } = store;
      expect(await secondFactors.find(userId)).toBeNull();
      const [first, second] = [sealed(), sealed()];
      expect(await secondFactors.begin(userId, first)).toBe(true);
      expect(await secondFactors.begin(userId, second)).toBe(true);
      const found = await secondFactors.find(userId);
      expect({ ...found, sealed: hex(found!.sealed) }).toEqual({
        sealed: hex(second),
        isEnabled: false,
        lastStep: -1,
        recoveryCodes: 0,
      });
      expect(await secondFactors.enable(userId, { sealed: first, ...enabled })).toBe(false);
      expect(await secondFactors.enable(userId, { sealed: second, ...enabled })).toBe(true);
      expect(await secondFactors.find(userId)).toMatchObject({
        isEnabled: true,
        lastStep: 7,
        recoveryCodes: 2,
      });
      expect(await secondFactors.begin(userId, sealed())).toBe(false);
      expect(await secondFactors.enable(userId, { sealed: second, ...enabled })).toBe(false);
      expect(hex((await secondFactors.find(userId))!.sealed)).toBe(hex(second));
    });

    it('are begun by any of those who begin at once', async () => {
      const { secondFactors } = store;
      const secrets = Array.from({ length: 5 }, sealed);
      const begun = await Promise.all(secrets.map((secret) => secondFactors.begin(userId, secret)));
      expect(begun).toEqual(secrets.map(() => true));
      expect(secrets.map(hex)).toContain(hex((await secondFactors.find(userId))!.sealed));
    });

    it('are enabled once, take each step and those before it once, and each recovery code', async () => {
      const { secondFactors } = store;
      const secret = sealed();
      const atOnce = (task: () => Promise<boolean>): Promise<boolean[]> =>
        Promise.all(Array.from({ length: 4 }, task)).then((results) => results.filter(Boolean));
      await secondFactors.begin(userId, secret);
      expect(await secondFactors.takeStep(userId, 1)).toBe(false);
      expect(await atOnce(() => secondFactors.enable(userId, { sealed: secret, ...enabled }))).toHaveLength(
        1,
      );
      expect(await secondFactors.takeStep(userId, 7)).toBe(false);
      expect(await atOnce(() => secondFactors.takeStep(userId, 9))).toHaveLength(1);
      expect(await secondFactors.takeStep(userId, 8)).toBe(false);
      expect(await atOnce(() => secondFactors.takeRecoveryCode(userId, 'one'))).toHaveLength(1);
      expect(await secondFactors.takeRecoveryCode(userId, 'three')).toBe(false);
      expect(await secondFactors.takeRecoveryCode(++lastUserId, 'two')).toBe(false);
      expect(await secondFactors.find(userId)).toMatchObject({ lastStep: 9, recoveryCodes: 1 });
    });

    it('go with their recovery codes, and others’ stay', async () => {
      const { secondFactors } = store;
      const otherId = ++lastUserId;
      const secret = sealed();
      for (const id of [userId, otherId]) {
        await secondFactors.begin(id, secret);
        await secondFactors.enable(id, { sealed: secret, ...enabled });
      }
      await secondFactors.remove(userId);
      await secondFactors.remove(userId);
      expect(await secondFactors.find(userId)).toBeNull();
      expect(await secondFactors.takeRecoveryCode(userId, 'one')).toBe(false);
      expect(await secondFactors.find(otherId)).toMatchObject({ recoveryCodes: 2 });
      expect(await secondFactors.begin(userId, secret)).toBe(true);
    });
  });

  it('finds a live key by its digest, with what belongs to it', async () => {
    const person = someKey(userId);
    const bot = someKey(++lastUserId, { sealed: new Uint8Array(randomBytes(70)) });
    await store.addApiKey(person);
    await store.addApiKey(bot);
    expect(plain(await store.findApiKey(person.digest))).toEqual(plain(person));
    expect(plain(await store.findApiKey(bot.digest))).toEqual(plain(bot));
    expect(await store.findApiKey(someKey(userId).digest)).toBeNull();
  });

  it('lists the live keys of many accounts together, each account’s oldest first', async () => {
    const otherId = ++lastUserId;
    const keys = [3, 5, 9].map((createdAt) => someKey(createdAt === 5 ? otherId : userId, { createdAt }));
    for (const key of keys.toReversed()) await store.addApiKey(key);
    await store.addApiKey(someKey(++lastUserId));
    const found = async (): Promise<unknown[]> => (await store.apiKeysOf([otherId, userId])).map(plain);
    expect(await found()).toEqual(keys.map(plain));
    await store.revokeApiKeys(userId);
    expect(await found()).toEqual([plain(keys[1]!)]);
    expect(await store.apiKeysOf([])).toEqual([]);
  });

  it('lists the live keys of an account, oldest first', async () => {
    const keys = [3, 5, 9].map((createdAt) => someKey(userId, { createdAt }));
    for (const key of keys.toReversed()) await store.addApiKey(key);
    await store.addApiKey(someKey(++lastUserId));
    expect((await store.apiKeys(userId)).map(plain)).toEqual(keys.map(plain));
    expect(await store.apiKeys(userId + 1_000_000)).toEqual([]);
  });

  it('lists keys of one millisecond in the order in which they were added', async () => {
    const keys = Array.from({ length: 8 }, () => someKey(userId));
    for (const key of keys) await store.addApiKey(key);
    expect((await store.apiKeys(userId)).map(plain)).toEqual(keys.map(plain));
  });

  it('stores every key of an account when its first log-ins are concurrent', async () => {
    const keys = Array.from({ length: 10 }, () => someKey(userId));
    await Promise.all(keys.map((key) => store.addApiKey(key)));
    const digests = (await store.apiKeys(userId)).map((key) => key.digest);
    expect(digests.sort()).toEqual(keys.map((key) => key.digest).sort());
  });

  it('refuses a digest that is live already, of the same account or another, and quotes it to nobody', async () => {
    const key = someKey(userId);
    await store.addApiKey(key);
    for (const owner of [userId, ++lastUserId]) {
      const error: unknown = await store
        .addApiKey({ ...key, userId: owner })
        .catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(DuplicateApiKeyError);
      expect(String(error)).not.toContain(key.digest);
    }
    expect((await store.apiKeys(userId)).map(plain)).toEqual([plain(key)]);
    expect(await store.apiKeys(lastUserId)).toEqual([]);
  });

  it('keeps which client a key was given to, and when it was used last', async () => {
    const [used, unused] = [someKey(userId, { client: 'phone' }), someKey(userId, { createdAt: 1 })] as const;
    for (const key of [used, unused]) await store.addApiKey(key);
    await store.noteApiKeyUses([]);
    await store.noteApiKeyUses([
      { digest: used.digest, at: 20 },
      { digest: someKey(userId).digest, at: 40 },
    ]);
    await store.noteApiKeyUses([{ digest: used.digest, at: 10 }]);
    expect((await store.apiKeys(userId)).map(plain)).toEqual([
      plain(unused),
      plain({ ...used, lastUsedAt: 20 }),
    ]);
    expect(plain(await store.findApiKey(used.digest))).toEqual(plain({ ...used, lastUsedAt: 20 }));
  });

  it('revokes one key and no other', async () => {
    const keys = [someKey(userId), someKey(userId)] as const;
    for (const key of keys) await store.addApiKey(key);
    await store.revokeApiKey(keys[0].digest);
    await store.revokeApiKey(keys[0].digest);
    expect(await store.findApiKey(keys[0].digest)).toBeNull();
    expect((await store.apiKeys(userId)).map(plain)).toEqual([plain(keys[1])]);
  });

  it('revokes every key of an account and of no other', async () => {
    const keys = [someKey(userId), someKey(userId)];
    const stranger = someKey(++lastUserId);
    for (const key of [...keys, stranger]) await store.addApiKey(key);
    await store.revokeApiKeys(userId);
    await store.revokeApiKeys(userId);
    for (const key of keys) expect(await store.findApiKey(key.digest)).toBeNull();
    expect(await store.apiKeys(userId)).toEqual([]);
    expect(plain(await store.findApiKey(stranger.digest))).toEqual(plain(stranger));
    const next = someKey(userId);
    await store.addApiKey(next);
    expect((await store.apiKeys(userId)).map(plain)).toEqual([plain(next)]);
  });

  it('lets many accounts be without keys', async () => {
    for (const account of [userId, ++lastUserId, ++lastUserId]) {
      await store.addApiKey(someKey(account));
      await store.revokeApiKeys(account);
    }
    for (const account of [userId, lastUserId]) expect(await store.apiKeys(account)).toEqual([]);
  });

  it('puts a replacement in the place of all revoked keys', async () => {
    const replacement = someKey(userId, { sealed: new Uint8Array(randomBytes(70)) });
    await store.addApiKey(someKey(userId));
    await store.addApiKey(someKey(userId));
    await store.revokeApiKeys(userId, replacement);
    expect((await store.apiKeys(userId)).map(plain)).toEqual([plain(replacement)]);
    await store.revokeApiKeys(++lastUserId, someKey(lastUserId));
    expect(await store.apiKeys(lastUserId)).toHaveLength(1);
  });

  it('never shows a reader an account between its old keys and the replacement', async () => {
    await store.addApiKey(someKey(userId));
    let replacing = true;
    const counts: number[] = [];
    const reader = (async () => {
      while (replacing) {
        counts.push((await store.apiKeys(userId)).length);
        await new Promise((resolve) => setImmediate(resolve));
      }
    })();
    for (let round = 0; round < 20; round++) await store.revokeApiKeys(userId, someKey(userId));
    replacing = false;
    await reader;
    expect(counts.length).toBeGreaterThan(0);
    expect(new Set(counts)).toEqual(new Set([1]));
  });

  it('leaves one replacement live when two revocations race', async () => {
    await store.addApiKey(someKey(userId));
    const replacements = Array.from({ length: 5 }, () => someKey(userId));
    await Promise.all(replacements.map((replacement) => store.revokeApiKeys(userId, replacement)));
    const live = await store.apiKeys(userId);
    expect(live).toHaveLength(1);
    expect(replacements.map(plain)).toContainEqual(plain(live[0]!));
  });

  it('keeps the old keys when the replacement is refused', async () => {
    const stranger = someKey(++lastUserId);
    const key = someKey(userId);
    await store.addApiKey(stranger);
    await store.addApiKey(key);
    await expect(store.revokeApiKeys(userId, { ...stranger, userId })).rejects.toThrow(DuplicateApiKeyError);
    expect((await store.apiKeys(userId)).map(plain)).toEqual([plain(key)]);
  });

  it('keeps its content when it is opened again', async () => {
    const key = someKey(userId);
    await store.setPasswordHash(userId, '$argon2id$kept');
    await store.addApiKey(key);
    await store.close();
    store = await open();
    expect(await store.passwordHash(userId)).toBe('$argon2id$kept');
    expect(plain(await store.findApiKey(key.digest))).toEqual(plain(key));
  });

  it('refuses calls once it is closed, and may be closed twice', async () => {
    await store.close();
    await store.close();
    await expect(store.passwordHash(userId)).rejects.toThrow(CredentialStoreUnavailableError);
    await expect(store.addApiKey(someKey(userId))).rejects.toThrow(CredentialStoreUnavailableError);
  });
}

describe('the embedded credential store', () => {
  it('reads and writes a file of an earlier version, which goes on using it', async () => {
    const file = join(folder, 'earlier.sqlite');
    const earlier = new Database(file);
    earlier.exec(`CREATE TABLE api_keys (digest TEXT PRIMARY KEY NOT NULL, user_id INTEGER NOT NULL,
      created_at INTEGER NOT NULL, sealed BLOB) WITHOUT ROWID, STRICT`);
    const insert = earlier.prepare(
      'INSERT INTO api_keys (user_id, digest, created_at, sealed) VALUES (?, ?, ?, ?)',
    );
    insert.run([7, 'before', 1, null]);
    const store = openEmbeddedCredentialStore({ file });
    insert.run([7, 'after', 2, null]);
    await store.addApiKey(someKey(7, { digest: 'new', createdAt: 3, client: 'phone' }));
    const kept = await store.apiKeys(7);
    await store.close();
    earlier.close();
    expect(kept.map(({ digest, client }) => [digest, client])).toEqual([
      ['before', null],
      ['after', null],
      ['new', 'phone'],
    ]);
  });

  contract(async () => openEmbeddedCredentialStore({ file: join(folder, 'credentials.sqlite') }));

  it('lets nobody but its owner read its files', async () => {
    const store = openEmbeddedCredentialStore({ file: join(folder, 'private.sqlite') });
    await store.setPasswordHash(1, '$argon2id$');
    const files = readdirSync(folder).filter((name) => name.startsWith('private.sqlite'));
    for (const name of files) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
    await store.close();
  });
});

describeOnMongo('the MongoDB credential store', () => {
  const url = mongoDatabaseUrl('credentials');
  contract(() => connectMongoCredentialStore({ url }));

  it('takes no key for live that an unfinished revocation left behind', async () => {
    const { userId, ...key } = someKey(++lastUserId);
    const left = { _id: key.digest as never, userId, generation: 'unfinished', createdAt: 1, sealed: null };
    const client = await MongoClient.connect(url);
    await client.db().collection('api_keys').insertOne(left);
    await client.close();
    const store = await connectMongoCredentialStore({ url });
    const live = [await store.findApiKey(key.digest), await store.apiKeys(userId)];
    await store.close();
    expect(live).toEqual([null, []]);
  });

  afterAll(async () => {
    const client = await MongoClient.connect(url);
    await client.db().dropDatabase();
    await client.close();
  });
});
