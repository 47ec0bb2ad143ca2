import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { openDirectoryFileStore } from '../../src/stores/file-store/directory/directory-file-store.js';
import { FileMissingError, type FileStore } from '../../src/stores/file-store/port.js';
import { openS3FileStore } from '../../src/stores/file-store/s3/s3-file-store.js';
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

async function openS3(): Promise<Opened> {
  const stagingDirectory = await mkdtemp(join(tmpdir(), 'palimpsest-files-'));
  const standIn = await S3StandIn.start('uploads', 'the-key');
  const store = await openS3FileStore({
    endpoint: standIn.endpoint,
    region: 'us-east-1',
    bucket: standIn.bucket,
    credentials: { accessKeyId: 'the-key', secretAccessKey: 'the-secret' },
    stagingDirectory,
  });
  const close = async (): Promise<void> => {
    await standIn.stop();
    await rm(stagingDirectory, { recursive: true });
  };
  return { store, stagingDirectory, close };
}

describe.each([
  ['in a directory', openDirectory],
  ['that speaks S3', openS3],
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

  it('keeps nothing of what did not come whole', async () => {
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

  it('deletes, as often as it is told to', async () => {
    await store.put('1/ab/gone', Readable.from([Buffer.from('x')]));
    await store.delete('1/ab/gone');
    await store.delete('1/ab/gone');
    await expect(store.read('1/ab/gone', whole)).rejects.toThrow(FileMissingError);
  });
});

describe('a bucket that accepts requests and does not reply', () => {
  it('is given up, and used again when it replies', async () => {
    const stagingDirectory = await mkdtemp(join(tmpdir(), 'palimpsest-files-'));
    const standIn = await S3StandIn.start('uploads', 'the-key');
    const store = await openS3FileStore({
      endpoint: standIn.endpoint,
      region: 'us-east-1',
      bucket: standIn.bucket,
      credentials: { accessKeyId: 'the-key', secretAccessKey: 'the-secret' },
      stagingDirectory,
      replyTimeout: 200,
    });
    const put = (): Promise<void> => store.put('1/ab/x', Readable.from([Buffer.from('x')]));
    const range = { from: 0, through: 1 };
    standIn.isSilent = true;
    await expect(put()).rejects.toThrow('aborted');
    await expect(store.read('1/ab/x', range)).rejects.toThrow('aborted');
    await expect(store.delete('1/ab/x')).rejects.toThrow('aborted');
    expect(await readdir(stagingDirectory)).toEqual([]);
    standIn.isSilent = false;
    await put();
    expect((await buffer(await store.read('1/ab/x', range))).toString()).toBe('x');
    await store.close();
    await standIn.stop();
    await rm(stagingDirectory, { recursive: true });
  });
});
