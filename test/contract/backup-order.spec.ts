import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { makeBackup } from '../../src/operations/backup/make-backup.js';
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
  const directory = join(folder, 'backup');
  const configuration = {
    dataDirectory: stores.directory,
    eventStoreUrl: null,
    mongodbUrl: null,
    serverKeyFile: join(stores.directory, 'server.key'),
  };
  // What is told to be copied next is not there yet, and everything before it is.
  const present = (name: string): boolean => existsSync(join(directory, name));
  const checkpoint = 'models/reactor-a__v1.sqlite';
  const files = [checkpoint, 'events.sqlite', 'keys.sqlite', 'credentials.sqlite'];
  await makeBackup({
    configuration,
    directory,
    madeAt: '2026-01-01T00:00:00.000Z',
    onProgress: (file) => {
      if (files.includes(file)) order.push(`${file}: ${files.filter(present).join(' ')}`);
    },
  });
  expect(order).toEqual([
    `${checkpoint}: `,
    `events.sqlite: ${checkpoint}`,
    `keys.sqlite: ${checkpoint} events.sqlite`,
    `credentials.sqlite: ${checkpoint} events.sqlite keys.sqlite`,
  ]);
});
