import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { openDirectoryFileStore } from '../../src/stores/file-store/directory/directory-file-store.js';
import {
  FileMissingError,
  FileStoreUnavailableError,
  type FileStore,
} from '../../src/stores/file-store/port.js';
import { openS3FileStore } from '../../src/stores/file-store/s3/s3-file-store.js';
import { eventually } from '../support/eventually.js';
import { S3StandIn } from '../support/s3-stand-in.js';

interface Opened {
  readonly store: FileStore;
  readonly stagingDirectory: string;
  readonly close: () => Promise<void>;
}

async function openDirectory(): Promise<Opened> {
  const folder = await mkdtemp(join(tmpdir(), 'palimpsest-files-'));
  const stagingDirectory = join(folder, 'incoming');
  const store = await openDirectoryFileStore({ directory: join(folder, 'files'), stagingDirectory });
  return { store, stagingDirectory, close: () => rm(folder, { recursive: true }) };
}

async function openS3(replyTimeout?: number): Promise<Opened & { readonly standIn: S3StandIn }> {
  const stagingDirectory = await mkdtemp(join(tmpdir(), 'palimpsest-files-'));
  const standIn = await S3StandIn.start('uploads', 'the-key');
  const store = await openS3FileStore({
    endpoint: standIn.endpoint,
    region: 'us-east-1',
    bucket: standIn.bucket,
    credentials: { accessKeyId: 'the-key', secretAccessKey: 'the-secret' },
    stagingDirectory,
    ...(replyTimeout !== undefined && { replyTimeout }),
  });
  const close = async (): Promise<void> => {
    await standIn.stop();
    await rm(stagingDirectory, { recursive: true });
  };
  return { store, stagingDirectory, close, standIn };
}

describe.each([
  ['in a directory', openDirectory],
  ['that speaks S3', () => openS3()],
])('a file store %s', (_where, open) => {
  let opened: Opened;
  let store: FileStore;

  beforeAll(async () => {
    opened = await open();
    ({ store } = opened);
  });

  afterAll(async () => {
    await store.close();
    await opened.close();
  });

  const whole = { from: 0, through: Number.MAX_SAFE_INTEGER };

  it('keeps bytes under a name', async () => {
    const bytes = randomBytes(300_000);
    await store.put('1/ab/whole', Readable.from([bytes.subarray(0, 7), bytes.subarray(7)]));
    expect(await buffer(await store.read('1/ab/whole', whole))).toEqual(bytes);
  });

  it('reads a part of them, both ends included', async () => {
    await store.put('1/ab/part', Readable.from([Buffer.from('0123456789')]));
    expect((await buffer(await store.read('1/ab/part', { from: 2, through: 5 }))).toString()).toBe('2345');
  });

  it('stores nothing of an incomplete upload', async () => {
    async function* broken(): AsyncGenerator<Buffer> {
      yield Buffer.from('half');
      await Promise.reject(new Error('The client went away'));
    }
    await expect(store.put('1/ab/half', Readable.from(broken()))).rejects.toThrow('The client went away');
    await expect(store.read('1/ab/half', whole)).rejects.toThrow(FileMissingError);
    expect(await readdir(opened.stagingDirectory)).toEqual([]);
  });

  it('says so where nothing is kept', async () => {
    await expect(store.read('1/ab/nothing', whole)).rejects.toThrow(FileMissingError);
  });

  it('deletes a file, also repeatedly', async () => {
    await store.put('1/ab/gone', Readable.from([Buffer.from('x')]));
    await store.delete('1/ab/gone');
    await store.delete('1/ab/gone');
    await expect(store.read('1/ab/gone', whole)).rejects.toThrow(FileMissingError);
  });
});

describe('a folder that cannot be used', () => {
  it('is unavailable, and used again when it can be', async () => {
    const { store, stagingDirectory, close } = await openDirectory();
    const put = (name: string): Promise<void> => store.put(name, Readable.from([Buffer.from('x')]));
    await rm(stagingDirectory, { recursive: true });
    await writeFile(stagingDirectory, 'in the way');
    await expect(put('1/ab/x')).rejects.toThrow(FileStoreUnavailableError);
    await rm(stagingDirectory);
    await mkdir(stagingDirectory);
    await put('1/ab/x');
    const place = join(stagingDirectory, '..', 'files', '2');
    await writeFile(place, 'in the way');
    await expect(put('2/ab/x')).rejects.toThrow(FileStoreUnavailableError);
    await expect(store.read('2/ab/x', { from: 0, through: 1 })).rejects.toThrow(FileStoreUnavailableError);
    await expect(store.delete('2/ab/x')).rejects.toThrow(FileStoreUnavailableError);
    expect(await readdir(stagingDirectory)).toEqual([]);
    await store.close();
    await close();
  });
});

describe('a bucket that cannot be used', () => {
  const range = { from: 0, through: 1 };
  const put = ({ store }: Opened): Promise<void> => store.put('1/ab/x', Readable.from([Buffer.from('x')]));
  const read = async ({ store }: Opened): Promise<string> =>
    (await buffer(await store.read('1/ab/x', range))).toString();

  async function expectUnavailable(opened: Opened): Promise<void> {
    await expect(put(opened)).rejects.toThrow(FileStoreUnavailableError);
    await expect(read(opened)).rejects.toThrow(FileStoreUnavailableError);
    await expect(opened.store.delete('1/ab/x')).rejects.toThrow(FileStoreUnavailableError);
    expect(await readdir(opened.stagingDirectory)).toEqual([]);
  }

  it('because it does not reply is given up, and used again when it replies', async () => {
    const opened = await openS3(200);
    opened.standIn.isSilent = true;
    await expectUnavailable(opened);
    opened.standIn.isSilent = false;
    // On a slow machine a reply may take longer than the timeout.
    const stored = (): Promise<string | null> =>
      put(opened)
        .then(() => read(opened))
        .catch(() => null);
    await eventually(stored, (text) => text === 'x');
    await opened.store.close();
    await opened.close();
  });

  it('because it is overloaded or gone is told apart from one that refuses', async () => {
    const opened = await openS3();
    opened.standIn.isOverloaded = true;
    await expectUnavailable(opened);
    opened.standIn.isOverloaded = false;
    await put(opened);
    expect(await read(opened)).toBe('x');
    opened.standIn.accessKeyId = 'another';
    await expect(put(opened)).rejects.toThrow(expect.objectContaining({ name: 'AccessDenied' }));
    await opened.standIn.stop();
    await expectUnavailable(opened);
    await opened.store.close();
    await rm(opened.stagingDirectory, { recursive: true });
  });
});
