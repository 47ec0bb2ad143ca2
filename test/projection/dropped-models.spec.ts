import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { attentionProjection } from '../../projections/attention.projection.js';
import { flagsProjection } from '../../projections/flags.projection.js';
import { messagesProjection } from '../../projections/messages.projection.js';
import { GetMessages } from '../../src/contexts/messages/queries/get-messages.js';
import { ReaderPool } from '../../src/reader-threads/reader-pool.js';
import { eventually } from '../support/eventually.js';
import { ServerStores } from '../support/server-stores.js';
import { beginLog, openStoppedServer } from '../support/stopped-server.js';

// A thread loads its part of the program from its sources.
const ENTRY = fileURLToPath(new URL('../contract/support/reader-thread.mjs', import.meta.url));
const MODULE = new URL('support/counting-closed.ts', import.meta.url).href;

const stores = ServerStores.embedded();
const closed = new SharedArrayBuffer(4);
let directory: string;
let pool: ReaderPool;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'palimpsest-dropped-'));
  await beginLog(directory, stores);
  const note = (): void => {};
  const serverKeyFile = join(directory, 'server.key');
  const places = { dataDirectory: directory, eventStoreUrl: null, mongodbUrl: null, serverKeyFile };
  pool = new ReaderPool({
    composition: { module: MODULE, configuration: { ...places, closed } },
    threads: 2,
    timeout: 60_000,
    position: () => null,
    logger: { info: note, warn: note, error: note },
    observer: { taskEnded: note },
    entry: { file: ENTRY },
  });
});

afterEach(async () => {
  await pool.close();
  await rm(directory, { recursive: true, force: true });
});

it('A reader thread that nobody asks lets go of the file of a version that was dropped', async () => {
  const { readStore, close } = await openStoppedServer(directory, {});
  for (const { name, collections } of [messagesProjection, flagsProjection, attentionProjection]) {
    await readStore.openModel(name, 1, collections);
    await readStore.switchVersion(name, null, 1);
  }
  const caller = { userId: 3, client: 'test', requestId: 'test' };
  const anchor = { type: 'id', id: 1 } as const;
  const selection = { type: 'range', anchor, includeAnchor: true, before: 1, after: 0 } as const;
  const format = { applyMarkdown: true, clientGravatar: true, allowEmptyTopicName: true };
  await pool.run({
    kind: GetMessages.name,
    input: { caller, request: { selection, narrow: [], format } },
    asReply: true,
    account: 3,
    isLong: false,
    deduplicationKey: null,
    shape: '',
    signal: null,
  });
  const { name, collections } = messagesProjection;
  await readStore.openModel(name, 2, collections);
  await readStore.switchVersion(name, 1, 2);
  expect(await readStore.dropModel(name, 1)).toBe(true);
  const count = (): Promise<number> => Promise.resolve(Atomics.load(new Int32Array(closed), 0));
  expect(await count()).toBe(0);
  // What is told when versions were dropped: see ProjectionHostOptions.
  pool.forgetModels();
  await eventually(count, (times) => times === 1);
  await close();
});
