import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { exportLog } from '../../src/audit/transfer/export-log.js';
import { importLog } from '../../src/audit/transfer/import-log.js';
import { checkExport } from '../../src/audit/transfer/check-export.js';
import { randomCommandId } from '../../src/stores/event-store/event-id.js';
import { FileUploaded } from '../../src/events/uploads.js';
import { openTemporaryStores, type TemporaryStores } from '../support/temporary-stores.js';

let source: TemporaryStores;
let target: TemporaryStores;

beforeEach(async () => {
  source = await openTemporaryStores();
  target = await openTemporaryStores();
  await copyFile(join(source.directory, 'server.key'), join(target.directory, 'server.key'));
  target = await target.reopen();
});

afterEach(async () => {
  await source.dispose();
  await target.dispose();
});

const content = Buffer.alloc(700_000, 'engines ');

async function upload(): Promise<{
  readonly name: string;
  readonly contentKey: string;
  readonly size: number;
}> {
  const stored = await source.files.put({ name: '1/ab/cd', ownerId: 3 }, Readable.from([content]));
  const { name: storageName, contentKey, size } = stored;
  const data = { ...FileUploaded.example, uploaderId: 3, storageName, contentKey, size };
  const metadata = { actorId: 3, commandId: randomCommandId(), causationId: null, client: 'test', at: 0 };
  await source.log.append(
    { stream: 'uploads', expected: 'any' },
    [{ type: FileUploaded.type, data }],
    metadata,
  );
  return stored;
}

async function exported(withFiles: boolean): Promise<readonly string[]> {
  const lines: string[] = [];
  const header = {
    format: 'palimpsest-log',
    version: 2,
    organization: 'Engines',
    exportedAt: '2026-01-01T00:00:00.000Z',
    keys: true,
    files: withFiles,
  } as const;
  const { eventStore, keyStore, signingKey } = source;
  const files = withFiles ? source.files : null;
  for await (const line of exportLog({ eventStore, keyStore, files, header, signingKey }))
    lines.push(JSON.stringify(line));
  return lines;
}

async function imported(lines: readonly string[]): ReturnType<typeof importLog> {
  const read = (): AsyncIterable<string> => Readable.from(lines);
  await checkExport(read, { tagKeys: null, onProgress: () => undefined });
  return importLog(read, {
    ...target,
    tagKey: target.tags.key,
    appendsAtOnce: 1,
    missingKeys: 'refuse',
    onProgress: () => undefined,
  });
}

it('uploaded files go along with an export, encrypted, and open where it is imported', async () => {
  const stored = await upload();
  const lines = await exported(true);
  expect(lines.join('')).not.toContain(content.toString('base64').slice(0, 100));
  expect(await imported(lines)).toEqual({ events: 1, added: 1, files: 1 });
  const opened = await target.files.open(stored, null);
  expect((await buffer(opened!)).equals(content)).toBe(true);
  // An import that is given again changes nothing.
  expect(await imported(lines)).toEqual({ events: 1, added: 0, files: 1 });
});

it('a file that was changed, or has no end, is refused before anything is taken over', async () => {
  await upload();
  const lines = await exported(true);
  const ends = lines.findIndex((line) => line.includes('"sha256":"'));
  await expect(imported(lines.filter((_line, index) => index !== ends))).rejects.toThrow('has no end');
  const changed = lines.map((line, index) =>
    index === ends - 1 ? line.replace('"part":"', '"part":"AAAA') : line,
  );
  await expect(imported(changed)).rejects.toThrow('is not as it was exported');
  expect(await target.eventStore.head()).toBeNull();
});

it('a file that was deleted since is passed over, as all are where none are wanted', async () => {
  const stored = await upload();
  expect((await exported(false)).some((line) => line.startsWith('{"file"'))).toBe(false);
  await source.files.delete(stored);
  expect((await exported(true)).some((line) => line.startsWith('{"file"'))).toBe(false);
});
