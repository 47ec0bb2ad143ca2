import { createSecretKey, randomBytes, randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { EnvelopeError } from '../../src/stores/key-store/envelope.js';
import { KeyUnwrapError } from '../../src/stores/key-store/key-wrapping.js';
import { ownerKeyId } from '../../src/stores/key-store/owner-keys.js';
import { KeysMissingError } from '../../src/stores/key-store/port.js';
import { KeyDestroyedError, KeyMissingError } from '../../src/stores/key-store/record-keys.js';
import {
  RecordDecryptionError,
  Vault,
  type PlainRecord,
  type EncryptedRecord,
  type VaultKeys,
} from '../../src/stores/key-store/vault.js';
import { MemoryKeyStore } from './memory-key-store.js';

function someServerKey(): VaultKeys {
  const key = () => createSecretKey(randomBytes(32));
  return { wrapping: key(), lookup: key(), credentials: key(), links: key() };
}

function someRecord(fields: Partial<PlainRecord> = {}): PlainRecord {
  const eventId = randomUUID();
  return {
    eventId,
    eventType: 'MessageSent',
    keyId: eventId,
    owner: 7,
    content: `{"content":"${eventId}"}`,
    ...fields,
  };
}

let keyStore: MemoryKeyStore;
let serverKey: VaultKeys;
let now: number;
let vault: Vault;
beforeEach(() => {
  keyStore = new MemoryKeyStore();
  serverKey = someServerKey();
  now = 0;
  vault = new Vault({ keyStore, serverKey, now: () => now });
});

async function sealed(records: readonly PlainRecord[]): Promise<EncryptedRecord[]> {
  const contents = await vault.encrypt(records);
  return records.map(({ eventId, eventType, keyId }, index) => ({
    eventId,
    eventType,
    keyId,
    sealed: contents[index]!,
  }));
}

async function opened(records: readonly EncryptedRecord[], by = vault): Promise<(string | null)[]> {
  return (await by.decrypt(records)).map((content) => content && content.toString('utf8'));
}

describe('the vault', () => {
  it('opens what it sealed, for people and for the organization', async () => {
    const records = [
      someRecord(),
      someRecord({ owner: 8, content: 'ü 🖋 \u0000' }),
      someRecord({ owner: null, content: '' }),
    ];
    expect(await opened(await sealed(records))).toEqual(records.map((record) => record.content));
    const restarted = new Vault({ keyStore, serverKey });
    expect(await opened(await sealed(records), restarted)).toEqual(records.map((record) => record.content));
  });

  it('stores no key in the clear, each record under a key of its own', async () => {
    const records = [someRecord(), someRecord()];
    const [first, second] = await sealed(records);
    expect(keyStore.keys.get(first!.keyId)).toMatchObject({ wrappedBy: 'user:7' });
    expect(keyStore.keys.get('user:7')).toMatchObject({ wrappedBy: null });
    await expect(vault.decrypt([{ ...first!, keyId: second!.keyId }])).rejects.toThrow(RecordDecryptionError);
  });

  it('writes all keys of a batch at once, and the key of a new person before', async () => {
    await vault.encrypt([someRecord(), someRecord({ owner: 8 })]);
    expect(keyStore.puts).toBe(2);
    await vault.encrypt([someRecord(), someRecord({ owner: 8 }), someRecord()]);
    expect(keyStore.puts).toBe(3);
  });

  it('asks the store twice to open a batch, and once while the persons are known', async () => {
    const records = await sealed(Array.from({ length: 50 }, (_, index) => someRecord({ owner: index % 5 })));
    keyStore.gets = 0;
    now += 2000;
    await vault.decrypt(records);
    expect(keyStore.gets).toBe(2);
    await vault.decrypt(records);
    expect(keyStore.gets).toBe(3);
  });

  it('seals an edit under the key of its message', async () => {
    const message = someRecord();
    const edit = someRecord({ keyId: message.keyId, eventType: 'MessageEdited' });
    const [first] = await sealed([message]);
    keyStore.puts = 0;
    const [second] = await sealed([edit]);
    expect(keyStore.puts).toBe(0);
    expect(await opened([first!, second!])).toEqual([message.content, edit.content]);
    await vault.destroy([message.keyId]);
    expect(await opened([first!, second!])).toEqual([null, null]);
  });

  it('uses the key that an earlier try made durable', async () => {
    const record = someRecord();
    const [first] = await sealed([record]);
    const [second] = await sealed([record]);
    expect(await opened([first!, second!])).toEqual([record.content, record.content]);
  });

  it('uses the keys of another process that was faster', async () => {
    const other = new Vault({ keyStore, serverKey });
    const records = [someRecord(), someRecord()];
    const [ours, theirs] = await Promise.all([vault.encrypt(records), other.encrypt(records)]);
    for (const contents of [ours, theirs]) {
      const stored = records.map((record, index) => ({ ...record, sealed: contents[index]! }));
      expect(await opened(stored)).toEqual(records.map((record) => record.content));
      expect(await opened(stored, other)).toEqual(records.map((record) => record.content));
    }
  });

  it('binds content to its event, so that it opens nowhere else', async () => {
    const [record] = await sealed([someRecord()]);
    await expect(vault.decrypt([{ ...record!, eventId: randomUUID() }])).rejects.toThrow(
      RecordDecryptionError,
    );
    await expect(vault.decrypt([{ ...record!, eventType: 'MessageEdited' }])).rejects.toThrow(
      RecordDecryptionError,
    );
    for (const place of [0, 12, record!.sealed.length - 1]) {
      const changed = Buffer.from(record!.sealed);
      changed[place]! ^= 1;
      await expect(vault.decrypt([{ ...record!, sealed: changed }])).rejects.toThrow(RecordDecryptionError);
    }
    await expect(vault.decrypt([{ ...record!, sealed: record!.sealed.subarray(0, 20) }])).rejects.toThrow(
      RecordDecryptionError,
    );
  });

  it('refuses keys that were swapped in the store', async () => {
    const [first, second] = await sealed([someRecord(), someRecord()]);
    keyStore.keys.set(first!.keyId, { ...keyStore.keys.get(second!.keyId)!, id: first!.keyId });
    await expect(vault.decrypt([first!])).rejects.toThrow(KeyUnwrapError);
  });
});

describe('erasing', () => {
  it('a person makes unreadable what they wrote, and nothing that others wrote', async () => {
    const records = await sealed([someRecord(), someRecord({ owner: 8 }), someRecord({ owner: null })]);
    await vault.destroy([ownerKeyId(7)]);
    expect((await opened(records)).map((content) => content === null)).toEqual([true, false, false]);
    await expect(vault.encrypt([someRecord()])).rejects.toThrow(KeyDestroyedError);
  });

  it('a record lets nothing be sealed under its key again', async () => {
    const record = someRecord();
    await vault.encrypt([record]);
    await vault.destroy([record.keyId]);
    await expect(vault.encrypt([record])).rejects.toThrow(KeyDestroyedError);
    await expect(vault.encrypt([someRecord({ keyId: record.keyId })])).rejects.toThrow(KeyDestroyedError);
  });

  it('takes effect in other processes within a second', async () => {
    const records = await sealed([someRecord()]);
    const other = new Vault({ keyStore, serverKey, now: () => now });
    await opened(records, other);
    await vault.destroy([ownerKeyId(7)]);
    expect(await opened(records)).toEqual([null]);
    now += 1000;
    expect(await opened(records, other)).toEqual([null]);
  });

  it('outruns a look-up that was under way', async () => {
    const records = await sealed([someRecord()]);
    now += 2000;
    let deliver = (): void => {};
    const asked = keyStore.holdGets(new Promise((resolve) => (deliver = resolve)));
    const reading = vault.decrypt(records);
    await asked;
    await vault.destroy([ownerKeyId(7)]);
    deliver();
    expect((await reading)[0]).not.toBeNull();
    expect(await opened(records)).toEqual([null]);
  });

  it('is told apart from a key store that never had the keys', async () => {
    const records = await sealed([someRecord()]);
    const elsewhere = new Vault({ keyStore: new MemoryKeyStore(), serverKey });
    await expect(elsewhere.decrypt(records)).rejects.toThrow(KeyMissingError);
    keyStore.keys.delete('user:7');
    now += 2000;
    await expect(vault.decrypt(records)).rejects.toThrow(KeyMissingError);
  });
});

describe('the server key', () => {
  it('must be the one that the key store was written under', async () => {
    await vault.checkServerKey({ requireExisting: false });
    await vault.checkServerKey({ requireExisting: true });
    const stranger = new Vault({ keyStore, serverKey: someServerKey() });
    await expect(stranger.checkServerKey({ requireExisting: true })).rejects.toThrow(KeyUnwrapError);
  });

  it('opens no new key store where there must be one', async () => {
    await expect(vault.checkServerKey({ requireExisting: true })).rejects.toThrow(KeysMissingError);
    expect(keyStore.keys.size).toBe(0);
  });

  it('digests an e-mail address however it is written', () => {
    const digest = vault.emailDigest('ada.quill@example.com');
    expect(digest).toMatch(/^[0-9a-f]{64}$/);
    for (const email of [' Ada.Quill@EXAMPLE.com\n', 'ａda.quill@example.com'])
      expect(vault.emailDigest(email)).toBe(digest);
    expect(vault.emailDigest('ada.quill@example.org')).not.toBe(digest);
    expect(new Vault({ keyStore, serverKey: someServerKey() }).emailDigest('ada.quill@example.com')).not.toBe(
      digest,
    );
  });

  it('digests texts so that nobody without its key tells which they were', () => {
    const digest = vault.textDigest('Note **G** is ready.');
    expect(vault.textDigest('Note **G** is ready.')).toBe(digest);
    expect(vault.textDigest('Note **G** is ready')).not.toBe(digest);
    const other = new Vault({ keyStore, serverKey: someServerKey() });
    expect(other.textDigest('Note **G** is ready.')).not.toBe(digest);
  });

  it('seals API keys for one account only', () => {
    const key = vault.encryptApiKey(5, 'abcDEF123');
    expect(key.includes('abcDEF123')).toBe(false);
    expect(vault.decryptApiKey(5, key)).toBe('abcDEF123');
    expect(() => vault.decryptApiKey(6, key)).toThrow(EnvelopeError);
  });
});
