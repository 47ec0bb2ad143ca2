import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { readManifests } from '../../src/operations/backup/catalog.js';
import { openPlace, runBackup, type BackupRun } from '../../src/operations/backup/run-backup.js';
import { verifyBackup } from '../../src/operations/backup/verify-backup.js';
import { openTemporaryStores, type TemporaryStores } from '../support/temporary-stores.js';

let stores: TemporaryStores;
let folder: string;

beforeEach(async () => {
  stores = await openTemporaryStores();
  folder = await mkdtemp(join(tmpdir(), 'palimpsest-backup-'));
  await stores.eventStore.append('stream', 'no-stream', [
    { id: '018f3f5e-7c1b-7cc0-9f43-2f8e3f0a7c11', type: 'Happened', data: {}, metadata: {} },
  ]);
});

afterEach(async () => {
  await stores.dispose();
  await rm(folder, { recursive: true, force: true });
});

const s3 = { endpoint: null, region: 'nowhere', credentials: null };

function backup(): BackupRun {
  return {
    stores: {
      dataDirectory: stores.directory,
      eventStoreUrl: null,
      mongodbUrl: null,
      serverKeyFile: join(stores.directory, 'server.key'),
    },
    backup: { keep: 7, erasedDays: 30, recipient: null, withServerKey: true, s3 },
    to: folder,
    program: '0.0.0',
  };
}

it('a backup is refused while another one is being made', async () => {
  const others: Promise<unknown>[] = [];
  const first = await runBackup(backup(), () => {
    others.push(runBackup(backup()).catch((error: unknown) => String(error)));
  });
  expect(others.length).toBeGreaterThan(0);
  for (const refused of await Promise.all(others))
    expect(refused).toMatch(/Another backup of DATA_DIR .+ is being made/);
  const place = await openPlace(folder, s3);
  const manifests = await readManifests(place);
  expect(manifests.map(({ id }) => id)).toEqual([first.id]);
  expect(await verifyBackup(place, manifests[0]!, () => undefined)).toEqual([]);
});

it('a backup removes what interrupted ones left in the data directory, and leaves nothing itself', async () => {
  for (const name of ['backup-staging', 'backup-staging-Xy12aB']) {
    await mkdir(join(stores.directory, name));
    await writeFile(join(stores.directory, name, 'piece'), 'a part of a backup');
  }
  await runBackup(backup());
  expect((await readdir(stores.directory)).filter((name) => name.startsWith('backup-staging'))).toEqual([]);
});
