import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { openEmbeddedEventStore } from '../../src/stores/event-store/embedded/embedded-event-store.js';
import { openSecretDatabase } from '../../src/stores/sqlite/secret-database.js';
import { WriteConnection } from '../../src/stores/sqlite/write-connection.js';

/** SQLite's number for `PRAGMA synchronous = FULL`: every commit is on the disk before it is acknowledged. */
const FULL = 2;

let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'palimpsest-durable-'));
});

afterEach(async () => {
  jest.restoreAllMocks();
  await rm(directory, { recursive: true, force: true });
});

it('the connection that appends to the log syncs every commit', async () => {
  const opening = jest.spyOn(WriteConnection, 'open');
  const store = openEmbeddedEventStore({ file: join(directory, 'events.sqlite') });
  const id = '018f3f5e-7c1b-7cc0-9f43-2f8e3f0a7c11';
  await store.append('stream', 'no-stream', [{ id, type: 'Happened', data: {}, metadata: {} }]);
  const connections = await Promise.all(
    opening.mock.results.map(({ value }) => value as Promise<WriteConnection>),
  );
  expect(connections).toHaveLength(1);
  for (const connection of connections) {
    expect((await connection.prepare('PRAGMA synchronous')).get()).toEqual([FULL]);
  }
  await store.close();
});

it('keys and credentials are synced with every commit, and what is deleted is overwritten', () => {
  const database = openSecretDatabase(join(directory, 'keys.sqlite'), 'CREATE TABLE IF NOT EXISTS a (b)');
  const pragma = (name: string): unknown => database.prepare(`PRAGMA ${name}`).raw().get([]);
  expect([pragma('synchronous'), pragma('secure_delete')]).toEqual([[FULL], [1]]);
  database.close();
});
