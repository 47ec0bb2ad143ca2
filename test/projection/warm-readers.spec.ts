import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { GetLogPage } from '../../src/audit/queries/get-log-page.js';
import { ReaderPool } from '../../src/reader-threads/reader-pool.js';
import { ServerStores } from '../support/server-stores.js';
import { beginLog } from '../support/stopped-server.js';

// A thread loads its part of the program from its sources.
const ENTRY = fileURLToPath(new URL('../contract/support/reader-thread.mjs', import.meta.url));
const MODULE = new URL('support/counting-names.ts', import.meta.url).href;

const learned = new SharedArrayBuffer(4);
let directory: string;
let pool: ReaderPool;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'palimpsest-warm-'));
  await beginLog(directory, ServerStores.embedded());
  const note = (): void => {};
  const serverKeyFile = join(directory, 'server.key');
  const places = { dataDirectory: directory, eventStoreUrl: null, mongodbUrl: null, serverKeyFile };
  pool = new ReaderPool({
    composition: { module: MODULE, configuration: { ...places, learned } },
    // One, so that no spare one learns names meanwhile.
    threads: 1,
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

it('A reader thread that was warmed up reads no names for its first page of the log', async () => {
  const count = (): number => Atomics.load(new Int32Array(learned), 0);
  await pool.warmUp();
  const before = count();
  expect(before).toBeGreaterThan(0);
  const extent = { limit: 100, direction: 'forwards', withData: false };
  const { result } = await pool.run({
    kind: GetLogPage.name,
    input: { caller: { userId: 3, client: 'test', requestId: 'test' }, selection: {}, extent },
    asReply: false,
    account: 3,
    isLong: false,
    deduplicationKey: null,
    shape: '',
    signal: null,
  });
  expect(JSON.stringify(result)).toContain('UserRegistered');
  expect(count()).toBe(before);
});
