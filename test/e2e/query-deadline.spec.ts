import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { clientGone } from '../../src/http/client-gone.js';
import { Connection } from '../../src/stores/read-store/embedded/connection.js';
import { ReaderPool } from '../../src/reader-threads/reader-pool.js';
import { eventually } from '../support/eventually.js';
import { LongWork } from './http-toy/endpoints.js';
import { startToyServer, type ToyServer } from './http-toy/server.js';

// A thread loads its part of the program from its sources.
const SUPPORT = '../contract/support';
const ENTRY = fileURLToPath(new URL(`${SUPPORT}/reader-thread.mjs`, import.meta.url));
const MODULE = new URL(`${SUPPORT}/reader-environment.ts`, import.meta.url).href;

let directory: string;
let server: ToyServer;
let pool: ReaderPool;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'palimpsest-deadline-'));
  const connection = Connection.open(join(directory, 'some.sqlite'));
  connection.exec('CREATE TABLE here (x)');
  connection.close();
  server = await startToyServer();
});

afterEach(async () => {
  await pool.close();
  await server.close();
  await rm(directory, { recursive: true, force: true });
});

/** Lets `GET /long` wait for something that a reader thread does. */
async function serve(kind: string, timeout: number): Promise<void> {
  const file = join(directory, 'some.sqlite');
  const configuration = { file, latch: new SharedArrayBuffer(4), forgotten: new SharedArrayBuffer(8) };
  const note = (): void => {};
  pool = new ReaderPool({
    composition: { module: MODULE, configuration },
    threads: 2,
    timeout,
    position: () => null,
    logger: { info: note, warn: note, error: note },
    observer: { taskEnded: () => {} },
    entry: { file: ENTRY },
  });
  await pool.warmUp();
  const task = { kind, input: null, asReply: false, isLong: true, deduplicationKey: null, shape: '' };
  server.application.get(LongWork).run = (caller) =>
    pool.run({ ...task, account: caller.userId, signal: clientGone(caller) });
}

it('A query that takes too long is answered with 503, and when to try again', async () => {
  await serve('endless statement', 300);
  const reply = await server.call('/long');
  expect(reply.status).toBe(503);
  expect(reply.headers.get('retry-after')).toBe('1');
  expect(await reply.json()).toMatchObject({ result: 'error', code: 'SERVICE_UNAVAILABLE' });
  // A thread that reacts late is not waited for.
  await eventually(
    () => Promise.resolve(pool.running),
    (running) => running === 0,
  );
});

it.each(['die', 'exhaust memory'])(
  'A query that its thread dies of is answered with 503, and when to try again: %s',
  async (kind) => {
    await serve(kind, 100_000);
    const reply = await server.call('/long');
    expect(reply.status).toBe(503);
    expect(reply.headers.get('retry-after')).toBe('1');
    expect(await reply.json()).toMatchObject({ result: 'error', code: 'SERVICE_UNAVAILABLE' });
    await pool.warmUp();
    expect(pool.running).toBe(0);
  },
);

it('A query stops when its client has gone', async () => {
  await serve('endless statement', 100_000);
  const client = new AbortController();
  const asked = server.call('/long', { signal: client.signal });
  await eventually(
    () => Promise.resolve(pool.running),
    (running) => running === 1,
  );
  client.abort();
  await expect(asked).rejects.toThrow();
  await eventually(
    () => Promise.resolve(pool.running),
    (running) => running === 0,
  );
});
