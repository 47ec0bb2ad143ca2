import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Projection, RunHandler } from '../../projections/engine/projection.js';
import type { EventPage, EventStore } from '../../src/stores/event-store/port.js';
import { ReadStoreUnavailableError } from '../../src/stores/read-store/port.js';
import { accountsProjection, withHandler, type TotalsDocument } from './support/accounts.projection.js';
import { rebuiltDigest, storedDigest } from './support/building.js';
import { MemoryReadStore } from './support/memory-read-store.js';
import { run, type Running } from './support/running.js';
import { append, event, openTestLog, type TestLog } from './support/test-log.js';
import { until } from './support/waiting.js';

let log: TestLog;
let readStore: MemoryReadStore;
let runners: Running[];

beforeEach(async () => {
  log = await openTestLog();
  readStore = new MemoryReadStore(true);
  runners = [];
});
afterEach(async () => {
  await Promise.all(runners.map((runner) => runner.stop()));
  await log.dispose();
});

async function start(projection: Projection, options?: Parameters<typeof run>[2]): Promise<Running> {
  const running = await run({ log, readStore }, projection, options);
  runners.push(running);
  return running;
}

async function totals(): Promise<TotalsDocument | null> {
  const model = await readStore.openModel('accounts', 1, accountsProjection.collections);
  return model.collection<TotalsDocument>('totals').findOne({ _id: 'all' });
}

async function checkpoint(projection: Projection = accountsProjection): Promise<number | null> {
  const model = await readStore.openModel(projection.name, projection.version, projection.collections);
  return (await model.checkpoint()).position;
}

/** Halts before payments of 13 until it is calm. */
function superstitious(): { readonly projection: Projection; calm: boolean } {
  const person = { calm: false };
  const projection = withHandler('Paid', (handler) => ({
    ...handler,
    apply: (paid, documents) => {
      if (!person.calm && (paid.data as { amount: number }).amount === 13) throw new Error('Thirteen!');
      return handler.apply(paid, documents);
    },
  }));
  return Object.assign(person, { projection });
}

describe('A runner', () => {
  it('follows the log live, with the same result as a rebuild', async () => {
    const running = await start(accountsProjection);
    await append(log, event('Opened', 1));
    await running.reaches('live', await append(log, event('Paid', 1, { amount: 3 })));
    await running.reaches(
      'live',
      await append(log, event('Renamed', 1, { name: 'bob' }), event('Closed', 1)),
    );
    const rebuilt = await rebuiltDigest(log, new MemoryReadStore(true), accountsProjection);
    expect(await storedDigest(readStore, accountsProjection, 1)).toBe(rebuilt);
  });

  it('takes what comes while a model that nobody waits for rests as one batch', async () => {
    const beside = { ...accountsProjection, name: 'beside', isBackground: true };
    const runner = await start(beside, { timing: { backgroundMilliseconds: 100 } });
    const reference = await start(accountsProjection);
    await runner.reaches('live');
    let position = await append(log, event('Opened', 1));
    await runner.reaches('live', position);
    const before = runner.reports.length;
    const begun = performance.now();
    for (let payment = 0; payment < 20; payment += 1)
      position = await append(log, event('Paid', 1, { amount: 1 }));
    await runner.reaches('live', position);
    await reference.reaches('live', position);
    const positions = new Set(runner.reports.slice(before).map((report) => report.position));
    // On a busy machine several rests go by meanwhile.
    const rests = Math.floor((performance.now() - begun) / 100);
    expect(positions.size).toBeLessThan(10 + rests);
  });

  it('is live at once on an empty log', async () => {
    const running = await start(accountsProjection);
    await running.reaches('live');
    expect(await totals()).toBeNull();
  });

  it('applies the first and the last event of a log', async () => {
    const position = await append(log, event('Opened', 1));
    await (await start(accountsProjection)).reaches('live', position);
    expect(await totals()).toMatchObject({ open: 1 });
    expect(await checkpoint()).toBe(position);
  });

  it('counts every event of writers that race', async () => {
    const running = await start(accountsProjection);
    await append(log, event('Opened', 1));
    const writers = Array.from({ length: 10 }, async () => {
      let position = 0;
      for (let index = 0; index < 20; index += 1)
        position = await append(log, event('Paid', 1, { amount: 1 }));
      return position;
    });
    const positions = await Promise.all(writers);
    await running.reaches('live', Math.max(...positions));
    expect(await totals()).toMatchObject({ balance: 200 });
  });

  it('resumes behind its checkpoint and applies nothing twice', async () => {
    const first = await start(accountsProjection);
    await append(log, event('Opened', 1));
    await first.reaches('live', await append(log, event('Paid', 1, { amount: 3 })));
    await first.stop();
    const position = await append(log, event('Paid', 1, { amount: 4 }));
    await (await start(accountsProjection)).reaches('live', position);
    expect(await totals()).toMatchObject({ open: 1, balance: 7 });
  });

  it('is not held up by positions that no event has', async () => {
    await log.dispose();
    log = await openTestLog(withGaps);
    const running = await start(accountsProjection);
    const position = await append(log, event('Opened', 1), event('Paid', 1, { amount: 2 }));
    await running.reaches('live', position * 10);
    expect(await totals()).toMatchObject({ balance: 2 });
  });

  it('passes events that it does not handle, and stores that it did once in a while', async () => {
    const running = await start(accountsProjection);
    await append(log, event('Opened', 1));
    const position = await append(log, event('Audited', 1));
    await running.reaches('live', position);
    await until(async () => (await checkpoint()) === position);
    expect(await totals()).toMatchObject({ open: 1 });
  });

  it('does not write for each event that it does not handle', async () => {
    const running = await start(accountsProjection, { timing: { checkpointMilliseconds: 60_000 } });
    await running.reaches('live', await append(log, event('Opened', 1)));
    const { commits } = await readStore.openModel('accounts', 1, accountsProjection.collections);
    const before = commits.length;
    for (let index = 0; index < 20; index += 1) {
      await running.reaches('live', await append(log, event('Audited', 1)));
    }
    expect(commits.length - before).toBeLessThanOrEqual(1);
    await running.stop();
    expect(await checkpoint()).toBe(21);
  });

  it('commits events of one type that follow each other together where their handler wants that', async () => {
    const opened = [1, 2, 3].map((account) => event('Opened', account));
    const closed = [1, 2].map((account) => event('Closed', account));
    await append(log, ...opened, ...closed, event('Paid', 3), event('Closed', 3));
    const running = await start(accountsProjection);
    await running.reaches('live', 7);
    const { commits } = await readStore.openModel('accounts', 1, accountsProjection.collections);
    expect(commits.map(({ checkpoint: { position } }) => position)).toEqual([3, 5, 6, 7]);
    expect(await totals()).toMatchObject({ open: 0, balance: 0 });
  });

  it('waits for a store that cannot write, and goes on when it can', async () => {
    const running = await start(accountsProjection);
    await running.reaches('live');
    readStore.beforeWrite = () => {
      throw new ReadStoreUnavailableError('The disk is full');
    };
    const position = await append(log, event('Opened', 1));
    expect((await running.reaches('unavailable')).stoppage?.reason).toBe('The disk is full');
    readStore.beforeWrite = () => {};
    await running.reaches('live', position);
    expect(await totals()).toMatchObject({ open: 1 });
  });
});

describe('A poison event', () => {
  it('halts its projection before it, with the reason, and loses nothing of what came before', async () => {
    const running = await start(superstitious().projection);
    const before = await append(log, event('Opened', 1), event('Paid', 1, { amount: 5 }));
    const poison = await append(log, event('Paid', 1, { amount: 13 }));
    await append(log, event('Paid', 1, { amount: 7 }));
    const { stoppage, position } = await running.reaches('halted');
    expect(stoppage?.reason).toContain('Thirteen!');
    expect(stoppage?.event).toMatchObject({ type: 'Paid', position: poison });
    expect(position).toBe(before);
    expect(await checkpoint()).toBe(before);
    expect(await totals()).toMatchObject({ balance: 5 });
  });

  it('is tried again and passed once its cause has passed', async () => {
    const person = superstitious();
    const running = await start(person.projection);
    await append(log, event('Opened', 1), event('Paid', 1, { amount: 13 }));
    const last = await append(log, event('Paid', 1, { amount: 1 }));
    await running.reaches('halted');
    person.calm = true;
    await running.reaches('live', last);
    expect(await totals()).toMatchObject({ balance: 14 });
  });

  it('is tried again at once when an operator says so', async () => {
    const person = superstitious();
    const hour = 3_600_000;
    const running = await start(person.projection, { timing: { retryPoison: { first: hour, max: hour } } });
    const last = await append(log, event('Opened', 1), event('Paid', 1, { amount: 13 }));
    await running.reaches('halted');
    person.calm = true;
    running.runner.retry();
    await running.reaches('live', last);
  });

  it('among events that are applied together halts before itself alone', async () => {
    const { applyRun } = accountsProjection.on['Closed'] as RunHandler;
    const projection: Projection = {
      ...accountsProjection,
      on: {
        ...accountsProjection.on,
        Closed: {
          applyRun: async (events, model) => {
            if (events.some(({ data }) => (data as { account: number }).account === 13))
              throw new Error('Thirteen!');
            return applyRun(events, model);
          },
        },
      },
    };
    await append(log, event('Opened', 1), event('Opened', 13), event('Closed', 1), event('Closed', 13));
    const { stoppage } = await (await start(projection)).reaches('halted');
    expect(stoppage?.event).toMatchObject({ type: 'Closed', position: 4 });
    expect(await totals()).toMatchObject({ open: 1 });
  });

  it('that cannot be decoded halts before itself too, the first event of the log included', async () => {
    const stored = { id: '00000000-0000-4000-8000-000000000001', type: 'Opened', data: { account: 1 } };
    const metadata = { schemaVersion: 2, actorId: 1 };
    await log.store.append('messages', 'any', [{ ...stored, metadata }]);
    await append(log, event('Opened', 2));
    const { stoppage } = await (await start(accountsProjection)).reaches('halted');
    expect(stoppage?.event).toMatchObject({ id: stored.id, position: 1 });
    expect(await checkpoint()).toBeNull();
  });

  it('leaves other projections alone', async () => {
    const other = { ...accountsProjection, name: 'other-accounts' };
    const halting = await start(superstitious().projection);
    const going = await start(other);
    const last = await append(log, event('Opened', 1), event('Paid', 1, { amount: 13 }), event('Paid', 1));
    await halting.reaches('halted');
    await going.reaches('live', last);
  });

  it('in a batch that the store refuses is found, and what came before it is kept', async () => {
    const unique = {
      ...accountsProjection,
      collections: [
        { name: 'accounts', indexes: [{ key: { name: 1 }, unique: true }] },
        ...accountsProjection.collections.slice(1),
      ],
    } as Projection;
    const names = ['ann', 'bob', 'ann', 'dora'].map((name, index) => event('Opened', index, { name }));
    const last = await append(log, ...names);
    const { stoppage } = await (await start(unique)).reaches('halted');
    expect(stoppage?.event?.position).toBe(last - 1);
    expect(await totals()).toMatchObject({ open: 2 });
  });
});

describe('Two runners of one model', () => {
  it('take turns: the second stands by until the first gives its lease back', async () => {
    const first = await start(accountsProjection, { processName: 'one' });
    await first.reaches('live');
    const second = await start(accountsProjection, { processName: 'two', timing: { leaseMilliseconds: 50 } });
    await first.reaches('live', await append(log, event('Opened', 1)));
    expect(second.reports.map(({ state }) => state)).toEqual(['standby']);
    await first.stop();
    await second.reaches('live', await append(log, event('Opened', 2)));
    expect(await totals()).toMatchObject({ open: 2 });
  });

  it('never write at once: who lost the lease unawares is refused and stands by', async () => {
    const first = await start(accountsProjection, { processName: 'one' });
    await first.reaches('live', await append(log, event('Opened', 1)));
    readStore.expire('projection:accounts:1');
    const second = await start(accountsProjection, { processName: 'two' });
    await second.reaches('live');
    await second.reaches('live', await append(log, event('Opened', 2)));
    await first.reaches('standby');
    await second.reaches('live', await append(log, event('Opened', 3)));
    expect(first.reports.filter(({ state }) => state === 'halted')).toEqual([]);
    expect(await totals()).toMatchObject({ open: 3 });
  });

  it('lose nothing when the lease changes hands under load', async () => {
    await start(accountsProjection, { processName: 'one', timing: { leaseMilliseconds: 30 } });
    await start(accountsProjection, { processName: 'two', timing: { leaseMilliseconds: 30 } });
    await append(log, event('Opened', 1));
    for (let index = 0; index < 60; index += 1) {
      await append(log, event('Paid', 1, { amount: 1 }));
      if (index % 10 === 5) readStore.expire('projection:accounts:1');
    }
    await until(async () => (await totals())?.balance === 60);
  });
});

/** A log whose positions are not dense, as EventStoreDB's are not. */
function withGaps(store: EventStore): EventStore {
  const spread = (page: EventPage): EventPage => ({
    ...page,
    position: page.position * 10,
    events: page.events.map((one) => ({ ...one, position: one.position * 10 })),
  });
  return new Proxy(store, {
    get: (target, property: keyof EventStore) => {
      if (property !== 'subscribeAll') return target[property].bind(target);
      return async function* (options: Parameters<EventStore['subscribeAll']>[0]) {
        const after = options.after === null ? null : options.after / 10;
        for await (const page of target.subscribeAll({ ...options, after })) yield spread(page);
      };
    },
  });
}
