import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Registry } from 'prom-client';
import { ClientGoneError } from '../../src/http/client-gone.js';
import { budgets } from '../../src/kernel/budgets.js';
import { Connection } from '../../src/stores/read-store/embedded/connection.js';
import { ReaderObservations } from '../../src/reader-threads/reader-observations.js';
import { ReaderPool } from '../../src/reader-threads/reader-pool.js';
import {
  type PooledAnswer,
  type PooledTask,
  type ReaderObserver,
} from '../../src/reader-threads/pooled-task.js';
import { TaskMarker } from '../../src/reader-threads/task-marker.js';
import { eventually } from '../support/eventually.js';
import type { TestReaderConfiguration } from './support/reader-environment.js';

// A thread loads its part of the program from its sources.
const ENTRY = fileURLToPath(new URL('support/reader-thread.mjs', import.meta.url));
const MODULE = new URL('support/reader-environment.ts', import.meta.url).href;

let directory: string;
let configuration: TestReaderConfiguration;
let logged: { readonly fields: object; readonly message: string }[];
let ended: { readonly kind: string; readonly started: boolean }[];
let observer: ReaderObserver | null;
let position: number | null;
let pool: ReaderPool;

/** Milliseconds that a task may take: more than on a busy machine, but where a test wants it to take too long. */
const PATIENCE = 60_000;
let timeout: number;

function openPool(): ReaderPool {
  const note = (fields: object, message: string): void => void logged.push({ fields, message });
  return new ReaderPool({
    composition: { module: MODULE, configuration },
    threads: 2,
    get timeout() {
      return timeout;
    },
    position: () => position,
    logger: { info: note, warn: note, error: note },
    observer: {
      taskEnded: (kind, cost) => {
        ended.push({ kind, started: cost.ran !== null });
        observer?.taskEnded(kind, cost);
      },
    },
    entry: { file: ENTRY },
  });
}

function run(kind: string, task: Partial<PooledTask> = {}): Promise<PooledAnswer> {
  const nobody = { account: null, deduplicationKey: null, signal: null };
  const defaults = { input: null, asReply: false, isLong: false, shape: '', ...nobody };
  return pool.run({ kind, ...defaults, ...task });
}

/** Runs a task that is late soon after it has begun, if it is not done. */
function runImpatiently(...asked: Parameters<typeof run>): ReturnType<typeof run> {
  timeout = 300;
  const running = run(...asked);
  timeout = PATIENCE;
  return running;
}

/** A busy machine lets a thread react late: the pool does not come to end it, because its clock stands still. */
function stopClock(): void {
  jest.spyOn(performance, 'now').mockReturnValue(performance.now());
}

function release(): void {
  Atomics.store(new Int32Array(configuration.latch), 0, 1);
}

function count(at: 0 | 1 | 2): number {
  return Atomics.load(new Int32Array(configuration.forgotten), at);
}

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'palimpsest-readers-'));
  const file = join(directory, 'some.sqlite');
  const connection = Connection.open(file);
  connection.exec('CREATE TABLE here (x)');
  connection.close();
  configuration = { file, latch: new SharedArrayBuffer(4), forgotten: new SharedArrayBuffer(12) };
  logged = [];
  ended = [];
  observer = null;
  position = null;
  timeout = PATIENCE;
  pool = openPool();
});

afterEach(async () => {
  jest.restoreAllMocks();
  release();
  await pool.close();
  await rm(directory, { recursive: true, force: true });
});

describe('A pool of reader threads', () => {
  it('returns the results of its threads, and replies as bytes', async () => {
    expect((await run('echo', { input: { n: [1, 2] } })).result).toMatchObject({ input: { n: [1, 2] } });
    const { reply, result } = await run('echo', { input: 'text', asReply: true });
    expect(result).toBeNull();
    expect(JSON.parse(new TextDecoder().decode(reply ?? undefined))).toMatchObject({ input: 'text' });
  });

  it('gives a thread the log position that its caller knows', async () => {
    position = 7;
    expect((await run('echo')).result).toMatchObject({ position: 7 });
    position = 12;
    expect((await run('echo')).result).toMatchObject({ position: 12 });
  });

  it('passes refusals on as rows of the error table', async () => {
    await expect(run('refuse')).rejects.toMatchObject({
      row: 'badNarrow',
      status: 400,
      message: 'Invalid narrow operator: unknown operator',
    });
  });

  it('reports a fault with the place where it happened', async () => {
    await expect(run('fail')).rejects.toMatchObject({
      row: 'internalError',
      stack: expect.stringContaining('reader-environment'),
    });
  });

  it('gives one thread to each account, however many tasks it has', async () => {
    const many = Array.from({ length: 20 }, () => run('hold', { account: 1 }));
    expect((await run('echo', { account: 2 })).result).toMatchObject({ input: null });
    expect(pool.running).toBe(1);
    expect(pool.waiting).toBe(19);
    release();
    await Promise.all(many);
  });

  it('shows in the metrics how many tasks run and wait', async () => {
    const registry = new Registry();
    new ReaderObservations().register(registry, pool);
    const many = Array.from({ length: 4 }, () => run('hold', { account: 1 }));
    await eventually(
      () => Promise.resolve(pool.running),
      (running) => running === 1,
    );
    const shown = await registry.metrics();
    expect(shown).toMatch(/^palimpsest_reader_threads_busy 1$/m);
    expect(shown).toMatch(/^palimpsest_reader_queue_length 3$/m);
    release();
    await Promise.all(many);
    const afterwards = await registry.metrics();
    expect(afterwards).toMatch(/^palimpsest_reader_threads_busy 0$/m);
    expect(afterwards).toMatch(/^palimpsest_reader_queue_length 0$/m);
  });

  it('counts the rows that its threads read, by the kind of query', async () => {
    const registry = new Registry();
    const observations = new ReaderObservations();
    observations.register(registry, pool);
    observer = observations;
    await run('read', { input: [3, 40] });
    await run('read', { input: [5] });
    await run('echo');
    const shown = await registry.metrics();
    expect(shown).toMatch(/^palimpsest_query_rows_sum\{query="read"\} 48$/m);
    expect(shown).toMatch(/^palimpsest_query_rows_count\{query="read"\} 2$/m);
    expect(shown).toMatch(/^palimpsest_query_rows_bucket\{le="10",query="read"\} 1$/m);
    expect(shown).toMatch(/^palimpsest_query_rows_sum\{query="echo"\} 0$/m);
  });

  it('logs a task that took long with its shape and its rows, and without its content', async () => {
    const begun = jest.spyOn(TaskMarker.prototype, 'hasBegun', 'get');
    await pool.warmUp();
    const input = 'secret words';
    const holding = run('hold', { account: 1, input, shape: 'range [channel -search]' });
    // The time is counted from when the pool sees that the task has begun. It looks at this task before it looks at the spare thread's.
    const seen = begun.mock.results.length;
    const { contexts, results } = begun.mock;
    await eventually(
      () => Promise.resolve(results),
      () => results.some(({ value }, at) => contexts[at] === contexts[seen] && value === true),
    );
    const now = performance.now();
    jest.spyOn(performance, 'now').mockReturnValue(now + 2_000);
    release();
    await holding;
    expect(logged).toEqual([
      {
        fields: { query: 'hold', shape: 'range [channel -search]', ms: expect.any(Number), rows: 0 },
        message: 'A query took long',
      },
    ]);
    expect(Number((logged[0]!.fields as { readonly ms: number }).ms)).toBeGreaterThan(500);
    expect(JSON.stringify(logged)).not.toMatch(/secret|words/);
  });

  it('logs no task that was quick', async () => {
    await pool.warmUp();
    stopClock();
    await run('echo', { account: 1, input: 'secret words', shape: '[search]' });
    expect(logged).toEqual([]);
  });

  it('performs equal waiting tasks of an account once, for all of them', async () => {
    const holding = run('hold', { account: 1, deduplicationKey: 'page' });
    const alike = Array.from({ length: 20 }, () => run('echo', { account: 1, deduplicationKey: 'page' }));
    const others = [
      run('echo', { account: 1, deduplicationKey: 'register' }),
      run('echo', { account: 1 }),
      run('echo', { account: 1 }),
    ];
    // What has started may have missed what the account did meanwhile.
    expect(pool.waiting).toBe(4);
    release();
    const answers = await Promise.all(alike);
    expect(new Set(answers).size).toBe(1);
    await Promise.all([holding, ...others]);
    expect(ended.filter(({ kind }) => kind === 'echo')).toHaveLength(4);
  });

  it('refuses a task at once when too many of its account wait, unless it is equal to one of them', async () => {
    const { max } = budgets.waitingQueriesOfOwner;
    const many = Array.from({ length: max + 1 }, (_, deduplicationKey) =>
      run('hold', { account: 1, deduplicationKey }),
    );
    expect([pool.running, pool.waiting]).toEqual([1, max]);
    await expect(run('hold', { account: 1, deduplicationKey: 'other' })).rejects.toMatchObject({
      row: 'unavailable',
      status: 503,
    });
    const alike = run('hold', { account: 1, deduplicationKey: max });
    const others = run('hold', { account: 2 });
    release();
    await Promise.all([...many, alike, others]);
    expect(pool.waiting).toBe(0);
    await run('echo', { account: 1 });
  });

  it('reads what waiting tasks are compared by once for each, however many wait', async () => {
    const holding = run('hold', { account: 1 });
    let reads = 0;
    const keyOf = (last: number): object => ({
      get ids() {
        reads += 1;
        return [1, 2, last];
      },
    });
    const many = Array.from({ length: 50 }, (_, last) =>
      run('echo', { account: 1, deduplicationKey: keyOf(last) }),
    );
    expect([pool.waiting, reads]).toEqual([50, 50]);
    release();
    await Promise.all([holding, ...many]);
  });

  it('performs a shared task as long as one of its clients waits', async () => {
    const holding = run('hold', { account: 1 });
    const [gone, staying] = [new AbortController(), new AbortController()];
    const alike = { account: 1, deduplicationKey: 'page' };
    const left = run('echo', { ...alike, signal: gone.signal });
    const answered = run('echo', { ...alike, signal: staying.signal });
    gone.abort();
    await expect(left).rejects.toBeInstanceOf(ClientGoneError);
    expect(pool.waiting).toBe(1);
    release();
    expect((await answered).result).toMatchObject({ input: null });
    await holding;
  });

  it('ends a shared task when all of its clients have disconnected', async () => {
    const holding = run('hold', { account: 1 });
    const clients = [new AbortController(), new AbortController()];
    const asked = clients.map(({ signal }) =>
      run('endless statement', { account: 1, deduplicationKey: 'page', signal }),
    );
    const outcomes = Promise.allSettled(asked);
    release();
    await holding;
    await eventually(
      () => Promise.resolve([pool.running, pool.waiting]),
      ([running, waiting]) => running === 1 && waiting === 0,
    );
    for (const client of clients) client.abort();
    for (const outcome of await outcomes)
      expect(outcome).toMatchObject({ reason: expect.any(ClientGoneError) });
  });

  it('loads a spare thread before another task needs it', async () => {
    const holding = run('hold', { account: 1 });
    await eventually(
      () => Promise.resolve(ended.length),
      (count) => count === 1,
    );
    expect(ended).toEqual([{ kind: 'warm up', started: true }]);
    expect(pool.running).toBe(1);
    release();
    await holding;
  });

  it('performs long tasks while another thread is being loaded, however long that takes', async () => {
    await pool.close();
    configuration = { ...configuration, loading: new SharedArrayBuffer(4) };
    pool = openPool();
    await pool.warmUp();
    ended = [];
    const since = performance.now();
    // Until the loading counts as long, too.
    while (performance.now() - since < 800) await run('echo', { account: 1, isLong: true });
    expect(ended).not.toContainEqual(expect.objectContaining({ kind: 'warm up' }));
  });

  it('keeps one thread for short tasks, however many accounts have long ones', async () => {
    const long = [1, 2, 3].map((account) => run('hold', { account, isLong: true }));
    await run('echo', { account: 4 });
    expect(pool.running).toBe(1);
    release();
    await Promise.all(long);
  });

  it('starts no task for a client that has disconnected', async () => {
    const holding = run('hold', { account: 1 });
    const gone = new AbortController();
    const waiting = run('echo', { account: 1, signal: gone.signal });
    gone.abort();
    await expect(waiting).rejects.toBeInstanceOf(ClientGoneError);
    expect(ended).toEqual([{ kind: 'echo', started: false }]);
    release();
    await holding;
  });

  it('interrupts the statement of a client that has disconnected, and keeps the thread', async () => {
    stopClock();
    const gone = new AbortController();
    const asked = run('endless statement', { account: 1, signal: gone.signal });
    await eventually(
      () => Promise.resolve(pool.running),
      (running) => running === 1,
    );
    gone.abort();
    await expect(asked).rejects.toBeInstanceOf(ClientGoneError);
    await run('echo', { account: 1 });
    expect(logged.map(({ message }) => message)).not.toContain(
      'A reader thread did not react, and was ended',
    );
  });

  it.each(['die', 'exhaust memory'])(
    'starts a thread anew that died, and lets whoever asked it come back: %s',
    async (kind) => {
      const dying = run(kind, { input: 'secret words', shape: '[search]' });
      await expect(dying).rejects.toMatchObject({ row: 'unavailable', status: 503 });
      expect((await run('echo')).result).toMatchObject({ input: null });
      expect(logged).toContainEqual({
        fields: { err: expect.anything(), query: kind, shape: '[search]' },
        message: 'A reader thread died of a query',
      });
      expect(JSON.stringify(logged)).not.toContain('secret words');
    },
  );

  it('clears the caches of every thread, also of idle ones', async () => {
    await Promise.all([run('echo', { account: 1 }), run('echo', { account: 2 })]);
    const threads = await Promise.all([1, 2].map(async (account) => (await run('echo', { account })).result));
    const started = new Set(threads.map((one) => (one as { threadId: number }).threadId)).size;
    pool.forgetTexts();
    await eventually(
      () => Promise.resolve(count(0)),
      (times) => times >= started,
    );
    pool.forgetModels();
    await eventually(
      () => Promise.resolve(count(1)),
      (times) => times >= started,
    );
    pool.forgetNames();
    await eventually(
      () => Promise.resolve(count(2)),
      (times) => times >= started,
    );
  });

  it('clears the caches of a thread before it performs a later task', async () => {
    await run('echo');
    pool.forgetTexts();
    await run('echo');
    // The other thread may have heard of it, too.
    expect(count(0)).toBeGreaterThan(0);
  });

  it('accepts clearing caches after it is closed, as when a model is dropped while the process stops', async () => {
    await pool.close();
    for (const forget of ['forgetTexts', 'forgetNames', 'forgetModels'] as const)
      expect(() => pool[forget]()).not.toThrow();
  });

  it('refuses waiting tasks and ends running ones when it is closed', async () => {
    await run('echo');
    const running = run('endless statement', { account: 1 });
    const waiting = run('echo', { account: 1 });
    const outcomes = Promise.allSettled([running, waiting]);
    await eventually(
      () => Promise.resolve(pool.running),
      (running) => running === 1,
    );
    await pool.close();
    expect(await outcomes).toMatchObject([{ reason: { status: 503 } }, { reason: { row: 'unavailable' } }]);
    await expect(run('echo')).rejects.toMatchObject({ row: 'unavailable' });
  });
});

describe('After the timeout', () => {
  beforeEach(async () => {
    await pool.warmUp();
    ended = [];
    logged = [];
  });

  it('a running statement is interrupted', async () => {
    stopClock();
    await expect(runImpatiently('endless statement')).rejects.toMatchObject({
      row: 'queryTimeout',
      status: 503,
    });
    expect((await run('echo')).result).toMatchObject({ input: null });
    expect(logged.map(({ message }) => message)).not.toContain(
      'A reader thread did not react, and was ended',
    );
  });

  it('a waiting task does not start', async () => {
    const holding = run('hold', { account: 1 });
    holding.catch(() => undefined);
    await expect(runImpatiently('echo', { account: 1 })).rejects.toMatchObject({ row: 'queryTimeout' });
    expect(ended).toContainEqual({ kind: 'echo', started: false });
    release();
  });

  it('a thread that does not react is terminated and replaced, and the kind of its task is logged without content', async () => {
    const asked = runImpatiently('endless loop', { input: 'secret words', shape: '[search]' });
    await expect(asked).rejects.toMatchObject({ row: 'queryTimeout', status: 503 });
    await pool.warmUp();
    expect(logged).toContainEqual({
      fields: { query: 'endless loop', shape: '[search]' },
      message: 'A reader thread did not react, and was ended',
    });
    expect(JSON.stringify(logged)).not.toContain('secret words');
  });
});
