import { existsSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { whileImporting } from '../../src/audit/transfer/unfinished-import.js';
import { openLogToRead } from '../../src/stores/open-log.js';
import { openTemporaryStores, type TemporaryStores } from '../support/temporary-stores.js';

let stores: TemporaryStores;

beforeEach(async () => {
  stores = await openTemporaryStores();
});

afterEach(() => stores.dispose());

const isMarked = (): boolean => existsSync(join(stores.directory, 'import.unfinished'));

function importing(events: number, work: () => Promise<unknown>): Promise<unknown> {
  const { directory: dataDirectory, eventStore } = stores;
  return whileImporting({ dataDirectory, eventStore, events }, work);
}

async function append(): Promise<void> {
  const event = { id: randomUUID(), type: 'Happened', data: {}, metadata: {} };
  await stores.eventStore.append(randomUUID(), 'no-stream', [event]);
}

async function appendAndFail(): Promise<void> {
  await append();
  throw new Error('interrupted');
}

it('the marker is there before the first event, and until the import is complete', async () => {
  await importing(1, async () => {
    expect(isMarked()).toBe(true);
    await append();
  });
  expect(isMarked()).toBe(false);
});

it('an import that appended something and failed keeps readers away until it is repeated', async () => {
  await expect(importing(5, appendAndFail)).rejects.toThrow('interrupted');
  const configuration = {
    dataDirectory: stores.directory,
    eventStoreUrl: null,
    mongodbUrl: null,
    serverKeyFile: join(stores.directory, 'server.key'),
  };
  expect(() => openLogToRead(configuration)).toThrow(/^An import .+ was cut off/);
  await expect(importing(4, append)).rejects.toThrow(/longer export/);
  await expect(importing(5, () => Promise.reject(new Error('again')))).rejects.toThrow('again');
  expect(isMarked()).toBe(true);
  await importing(6, append);
  expect(isMarked()).toBe(false);
});

it('an import that is refused before its first append leaves the log unchanged', async () => {
  await append();
  await expect(importing(5, () => Promise.reject(new Error('refused')))).rejects.toThrow('refused');
  expect(isMarked()).toBe(false);
});
