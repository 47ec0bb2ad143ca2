import { beforeEach, describe, expect, it } from '@jest/globals';
import { createSecretKey, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { finished } from 'node:stream/promises';
import { Vault } from '../../src/stores/key-store/vault.js';
import { EncryptedFiles } from '../../src/stores/file-store/encrypted-files.js';
import { FileMissingError } from '../../src/stores/file-store/port.js';
import { MemoryKeyStore } from './memory-key-store.js';

let keyStore: MemoryKeyStore;
let stored: Map<string, Buffer>;
let files: EncryptedFiles;
/** What was opened in the store. */
let read: Readable[];

beforeEach(() => {
  keyStore = new MemoryKeyStore();
  stored = new Map();
  read = [];
  const someKey = () => createSecretKey(randomBytes(32));
  const serverKey = { wrapping: someKey(), lookup: someKey(), credentials: someKey(), links: someKey() };
  const store = {
    put: async (name: string, content: Readable) => {
      stored.set(name, await buffer(content));
    },
    read: async (name: string, { from, through }: { readonly from: number; readonly through: number }) => {
      const bytes = stored.get(name);
      if (bytes === undefined) throw new FileMissingError(name);
      const content = Readable.from([bytes.subarray(from, through + 1)]);
      read.push(content);
      return content;
    },
    delete: async (name: string) => {
      stored.delete(name);
    },
    close: () => Promise.resolve(),
  };
  files = new EncryptedFiles(store, new Vault({ keyStore, serverKey }));
});

const file = { name: 'a/b', ownerId: null };

async function* brokenOff(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('the beginning');
  throw new Error('broken off');
}

describe('an encrypted file', () => {
  it('can be read once it is stored, with a key that is stored after the content', async () => {
    let keysBefore = 0;
    const content = async function* (): AsyncGenerator<Uint8Array> {
      yield Buffer.from('whole');
      keysBefore = keyStore.puts;
    };
    const kept = await files.put(file, content());
    expect(await buffer((await files.open(kept, null))!)).toEqual(Buffer.from('whole'));
    expect([keysBefore, keyStore.puts]).toEqual([0, 1]);
  });

  it('leaves no key behind when its transfer breaks off', async () => {
    await expect(files.put(file, brokenOff())).rejects.toThrow('broken off');
    expect([...keyStore.keys.keys()]).toEqual([]);
  });

  it('is not there when its key cannot be stored', async () => {
    keyStore.putIfAbsent = () => Promise.reject(new Error('the key store is full'));
    await expect(files.put(file, Readable.from([Buffer.from('whole')]))).rejects.toThrow('key store is full');
    expect([...stored.keys()]).toEqual([]);
  });

  it('is closed in the store too when it is closed before anything is read', async () => {
    const kept = await files.put(file, Readable.from([Buffer.from('whole')]));
    const content = await files.open(kept, null);
    content!.destroy();
    await finished(content!).catch(() => undefined);
    expect(read.map(({ destroyed }) => destroyed)).toEqual([true]);
  });

  it('that is missing, or whose key is, can be asked for without an error', async () => {
    const kept = await files.put(file, Readable.from([Buffer.from('whole')]));
    const foreign = { ...kept, contentKey: 'of another server' };
    expect(await files.openExisting(foreign, null)).toBeNull();
    expect([await files.isErased(kept), await files.isErased(foreign)]).toEqual([false, true]);
    stored.clear();
    expect(await files.openExisting(kept, null)).toBeNull();
    await expect(files.open(kept, null)).rejects.toThrow(FileMissingError);
  });
});
