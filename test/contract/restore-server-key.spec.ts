import { createHash } from 'node:crypto';
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { chosenManifest } from '../../src/operations/backup/catalog.js';
import { restoreBackup } from '../../src/operations/backup/restore-backup.js';
import { restoreFolder } from '../../src/operations/backup/restore-folder.js';
import { openPlace, runBackup } from '../../src/operations/backup/run-backup.js';
import { openTemporaryStores, type TemporaryStores } from '../support/temporary-stores.js';

let stores: TemporaryStores;
let folder: string;

const s3 = { endpoint: null, region: 'nowhere', credentials: null };
const servers = { eventStoreUrl: null, mongodbUrl: null };

beforeEach(async () => {
  stores = await openTemporaryStores();
  folder = await mkdtemp(join(tmpdir(), 'palimpsest-restore-'));
});

afterEach(async () => {
  await stores.dispose();
  await rm(folder, { recursive: true, force: true });
});

const sourceKey = (): string => join(stores.directory, 'server.key');
const elsewhere = (): string => join(folder, 'keys', 'chat.key');
const restored = (): string => join(folder, 'restored');

async function backUp(withServerKey: boolean): Promise<void> {
  await runBackup({
    stores: { ...servers, dataDirectory: stores.directory, serverKeyFile: sourceKey() },
    backup: { keep: 7, erasedDays: 30, recipient: null, withServerKey, s3 },
    to: join(folder, 'place'),
    program: '0.0.0',
  });
}

async function restoreWith(serverKeyFile: string | null): Promise<void> {
  const place = await openPlace(join(folder, 'place'), s3);
  await restoreBackup({
    configuration: { ...servers, dataDirectory: restored(), serverKeyFile: elsewhere() },
    place,
    manifest: await chosenManifest(place, undefined),
    identities: [],
    serverKeyFile,
    onProgress: () => undefined,
  });
}

async function expectKeyElsewhere(): Promise<void> {
  expect(await readFile(elsewhere(), 'utf8')).toBe(await readFile(sourceKey(), 'utf8'));
  expect((await stat(elsewhere())).mode & 0o777).toBe(0o600);
  expect(await readdir(join(folder, 'keys'))).toEqual(['chat.key']);
  expect(await readdir(restored())).not.toContain('server.key');
}

it('a restore puts the key into the configured file, from the backup or from a file that is named', async () => {
  await backUp(true);
  await restoreWith(null);
  await expectKeyElsewhere();
  await rm(restored(), { recursive: true });
  await rm(elsewhere());
  await restoreWith(sourceKey());
  await expectKeyElsewhere();
});

it('a restore uses the key that is in the configured file, and overwrites no other key', async () => {
  await backUp(false);
  await expect(restoreWith(null)).rejects.toThrow(/^server\.key is not in this backup/);
  await mkdir(join(folder, 'keys'));
  await writeFile(elsewhere(), `${Buffer.alloc(32).toString('base64')}\n`, { mode: 0o600 });
  await expect(restoreWith(sourceKey())).rejects.toThrow(/holds another key than that of the backup/);
  expect(await readdir(folder)).not.toContain('restored');
  await copyFile(sourceKey(), elsewhere());
  await restoreWith(null);
  await expectKeyElsewhere();
});

it('a restore says of a configured key that it cannot read that it cannot be read', async () => {
  await backUp(false);
  await writeFile(join(folder, 'keys'), '');
  await expect(restoreWith(null)).rejects.toThrow(`The file ${elsewhere()} cannot be read (ENOTDIR).`);
  await rm(join(folder, 'keys'));
  await mkdir(elsewhere(), { recursive: true });
  await expect(restoreWith(sourceKey())).rejects.toThrow(`The file ${elsewhere()} cannot be read (EISDIR).`);
  expect(await readdir(folder)).not.toContain('restored');
});

it('a restore of a folder of an earlier version puts the key there too', async () => {
  const directory = join(folder, 'earlier');
  await mkdir(directory);
  const files: unknown[] = [];
  for (const name of ['events.sqlite', 'server.key']) {
    await copyFile(join(stores.directory, name), join(directory, name));
    const bytes = await readFile(join(directory, name));
    files.push({ name, bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') });
  }
  const manifest = { format: 'palimpsest-backup', version: 1, madeAt: '2026-01-01T00:00:00.000Z', files };
  await writeFile(join(directory, 'manifest.json'), JSON.stringify(manifest));
  const configuration = { ...servers, dataDirectory: restored(), serverKeyFile: elsewhere() };
  await restoreFolder({ configuration, directory, onProgress: () => undefined });
  await expectKeyElsewhere();
});
