import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { makeBackup } from '../../src/operations/backup/make-backup.js';
import { openPlace } from '../../src/operations/backup/run-backup.js';
import { openEmbeddedReadStore } from '../../src/stores/read-store/embedded/embedded-read-store.js';
import { openTemporaryStores, type TemporaryStores } from '../support/temporary-stores.js';

let stores: TemporaryStores;
let folder: string;

beforeEach(async () => {
  stores = await openTemporaryStores();
  folder = await mkdtemp(join(tmpdir(), 'palimpsest-backup-'));
});

afterEach(async () => {
  await stores.dispose();
  await rm(folder, { recursive: true, force: true });
});

it('a backup copies how far reactors have come before the log, and the log before keys and credentials', async () => {
  const readStore = openEmbeddedReadStore({ directory: join(stores.directory, 'models') });
  await readStore.openModel('reactor-a', 1, []);
  await readStore.close();
  await stores.eventStore.append('stream', 'no-stream', [
    { id: '018f3f5e-7c1b-7cc0-9f43-2f8e3f0a7c11', type: 'Happened', data: {}, metadata: {} },
  ]);
  const order: string[] = [];
  const { id } = await makeBackup({
    stores: {
      dataDirectory: stores.directory,
      eventStoreUrl: null,
      mongodbUrl: null,
      serverKeyFile: join(stores.directory, 'server.key'),
    },
    place: await openPlace(folder, { endpoint: null, region: 'nowhere', credentials: null }),
    recipient: null,
    withServerKey: true,
    program: '0.0.0',
    at: Date.parse('2026-01-01T00:00:00.000Z'),
    onProgress: (file) => order.push(file),
  });
  expect(order).toEqual([
    'models/engine.sqlite',
    'models/reactor-a__v1.sqlite',
    'events.sqlite',
    'keys.sqlite',
    'credentials.sqlite',
    'server.key',
    'files',
  ]);
  expect(id).toBe('2026-01-01T00-00-00-000Z');
});
