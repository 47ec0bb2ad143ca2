import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { buildUp } from '../../projections/engine/build-model.js';
import { silentLogger } from '../../projections/engine/logger.js';
import { NoEarlierVersionError } from '../../projections/engine/model-builds.js';
import { ReactorRunner } from '../../projections/engine/reactor-runner.js';
import type { Clock } from '../../src/kernel/clock.js';
import type { RecordedEvent } from '../../src/kernel/event.js';
import { ModelPositions } from '../../projections/engine/model-positions.js';
import { OperatorSettings } from '../../projections/engine/operator-settings.js';
import { ProjectionHost } from '../../projections/engine/projection-host.js';
import { modelLease } from '../../projections/engine/projection-runner.js';
import type { BuildProgress } from '../../projections/engine/projector-protocol.js';
import type { Projection } from '../../projections/engine/projection.js';
import { storedVersion } from '../../projections/engine/stored-version.js';
import { ProjectionOperations } from '../../src/operations/projection-operations.js';
import { reportProjections } from '../../src/operations/projection-report.js';
import { verifyProjection } from '../../src/operations/verify-projection.js';
import { openEmbeddedReadStore } from '../../src/stores/read-store/embedded/embedded-read-store.js';
import type { ReadStore } from '../../src/stores/read-store/port.js';
import { accountsProjection, withHandler, type TotalsDocument } from './support/accounts.projection.js';
import { buildOptions, quickTiming, rebuiltDigest, storedDigest } from './support/building.js';
import { launchHere } from './support/launch-here.js';
import { append, event, openTestLog, type TestLog } from './support/test-log.js';
import { until } from './support/waiting.js';

/** Longer than any test: Jest ends what hangs. */
const hour = 3_600_000;

let log: TestLog;
let readStore: ReadStore;
let directory: string;
const hosts: ProjectionHost[] = [];

beforeEach(async () => {
  log = await openTestLog();
  directory = await mkdtemp(join(tmpdir(), 'palimpsest-operating-'));
  readStore = openEmbeddedReadStore({ directory });
});

afterEach(async () => {
  for (const host of hosts.splice(0)) await host.stop();
  await readStore.close();
  await log.dispose();
  await rm(directory, { recursive: true, force: true });
});

interface Operated {
  readonly host: ProjectionHost;
  readonly positions: ModelPositions;
  readonly operations: ProjectionOperations;
}

async function start(
  projection: Projection = accountsProjection,
  reactors: readonly ReactorRunner[] = [],
  clock: Clock = { now: () => 7 },
): Promise<Operated> {
  const projections = [projection];
  const positions = new ModelPositions(projections, () => Promise.resolve(null));
  const environment = { stores: { log, readStore }, projections, processName: 'test', timing: quickTiming };
  const host = new ProjectionHost({
    launch: launchHere(environment),
    projections,
    readStore,
    positions,
    logger: silentLogger,
    processName: 'test',
    onDrop: () => undefined,
  });
  hosts.push(host);
  await host.start();
  const stores = { eventStore: log.store, readStore };
  return {
    host,
    positions,
    operations: new ProjectionOperations({
      stores,
      projections,
      positions,
      host,
      clock,
      reactors: () => reactors,
    }),
  };
}

async function totals(): Promise<TotalsDocument | null> {
  const version = await readStore.servingVersion('accounts');
  const model = await readStore.openModel('accounts', version!, accountsProjection.collections);
  return model.collection<TotalsDocument>('totals').findOne({ _id: 'all' });
}

async function versions(): Promise<readonly (readonly number[] | number | null)[]> {
  return [await readStore.servingVersion('accounts'), await readStore.modelVersions('accounts')];
}

describe('While a model is rebuilt', () => {
  it('a request that waited for a write reads it, before, during and after the cut-over', async () => {
    const { host, positions } = await start();
    await append(log, event('Opened', 1));
    let rebuilding = true;
    const stale: unknown[] = [];
    const reader = (async () => {
      for (let balance = 1; rebuilding; balance += 1) {
        const position = await append(log, event('Paid', 1, { amount: 1 }));
        const passed = await positions.waitUntil({ position, types: ['Paid'], milliseconds: hour });
        const found = await totals();
        if (!passed || found?.balance !== balance) stale.push({ balance, passed, found });
      }
    })();
    for (let count = 0; count < 3; count += 1) await host.builds.rebuild('accounts');
    rebuilding = false;
    await reader;
    expect(stale).toEqual([]);
  });

  it('its rate can be bounded', async () => {
    for (let page = 0; page < 4; page += 1) {
      await append(log, ...Array.from({ length: 500 }, (_, index) => event('Opened', page * 500 + index)));
    }
    const rests: number[] = [];
    const pace = {
      now: () => rests.reduce((sum, one) => sum + one, 0),
      rest: async (milliseconds: number) => void rests.push(milliseconds),
    };
    const target = { projection: accountsProjection, version: 1 };
    const options = { ...buildOptions({ pageSize: 500 }), eventsPerSecond: 1_250, pace };
    const { position } = await buildUp({ log, readStore }, target, options);
    expect(position).toBe(await log.store.head());
    // What comes after the last page is not waited for.
    expect(rests.slice(0, 3)).toEqual([400, 400, 400]);
    expect(rests.length).toBeLessThanOrEqual(4);
  });

  it('tells from where it was resumed', async () => {
    const target = { projection: accountsProjection, version: 1 };
    await append(log, event('Opened', 1));
    const first = await buildUp({ log, readStore }, target, buildOptions());
    await append(log, event('Opened', 2));
    const said: BuildProgress[] = [];
    const onProgress = (progress: BuildProgress): void => void said.push(progress);
    const { position } = await buildUp({ log, readStore }, target, { ...buildOptions(), onProgress });
    expect(said.at(-1)).toMatchObject({ from: first.position, position, events: 1 });
    expect(position).toBeGreaterThan(first.position!);
  });

  it('an interruption loses nothing: the next start continues the rebuild', async () => {
    const first = await start();
    await append(log, event('Opened', 1));
    await first.host.stop();
    const half = storedVersion(1, 1);
    await readStore.openModel('accounts', half, accountsProjection.collections);
    await new OperatorSettings(readStore).change(
      'accounts',
      (settings) => ({ ...settings, building: half }),
      'test',
    );
    await start();
    await until(async () => (await readStore.servingVersion('accounts')) === half);
    await until(async () => (await new OperatorSettings(readStore).of('accounts')).building === null);
  });
});

describe('A process that stops', () => {
  it('interrupts builds first, and goes on to keep the serving versions up to date until it has ended what waits for them', async () => {
    const { host, positions } = await start();
    for (let page = 0; page < 4; page += 1)
      await append(log, ...Array.from({ length: 500 }, (_, index) => event('Opened', page * 500 + index)));
    const rebuilding = host.builds
      .rebuild('accounts', { eventsPerSecond: 1 })
      .catch((error: unknown) => error);
    await until(() => (host.builds.progress()[0]?.events ?? 0) > 0);
    await host.stopBuilds();
    expect(await rebuilding).toMatchObject({ message: 'The build of accounts was interrupted' });
    await expect(host.builds.rebuild('accounts')).rejects.toThrow('was interrupted');
    expect(await readStore.servingVersion('accounts')).toBe(1);
    const position = await append(log, event('Opened', 9_999));
    expect(await positions.waitUntil({ position, types: ['Opened'], milliseconds: hour })).toBe(true);
  });
});

describe('The settings of a projection', () => {
  it('keep every change of one process that makes several at once', async () => {
    const ids = ['1', '2', '3', '4', '5'];
    const settings = new OperatorSettings(readStore);
    const discard = (id: string): Promise<void> =>
      settings.discard(
        'accounts',
        { id, type: 'Opened', stream: 'x', position: Number(id), reason: 'x', discardedAt: 0 },
        'test',
      );
    await Promise.all(ids.map(discard));
    const { discarded } = await settings.of('accounts');
    expect(discarded.map(({ id }) => id).sort()).toEqual(ids);
  });
});

describe('The version that served before a rebuild', () => {
  it('can serve again, brought up to the present, and forward again', async () => {
    const { host, positions } = await start();
    await host.builds.rebuild('accounts');
    const position = await append(log, event('Opened', 1));
    await positions.waitUntil({ position, types: ['Opened'], milliseconds: hour });
    expect(await host.builds.rollback('accounts')).toBe(1);
    expect(await versions()).toEqual([1, [1, storedVersion(1, 1)]]);
    expect(await totals()).toMatchObject({ open: 1 });
    expect(await host.builds.rollback('accounts')).toBe(storedVersion(1, 1));
  });

  it('is there until it is dropped', async () => {
    const { host } = await start();
    await expect(host.builds.rollback('accounts')).rejects.toThrow(NoEarlierVersionError);
    await host.builds.rebuild('accounts');
    expect(await host.builds.drop('accounts')).toEqual([1]);
    expect(await versions()).toEqual([storedVersion(1, 1), [storedVersion(1, 1)]]);
  });
});

describe('An erasure', () => {
  const noted = (building: number): Promise<unknown> =>
    new OperatorSettings(readStore).change('accounts', (settings) => ({ ...settings, building }), 'test');

  it('removes the versions that served before', async () => {
    const { host } = await start();
    await host.builds.rebuild('accounts');
    expect(await host.builds.dropFormer('accounts')).toEqual([1]);
    expect(await versions()).toEqual([storedVersion(1, 1), [storedVersion(1, 1)]]);
  });

  it('does not wait for a rebuild, which goes on', async () => {
    const { host } = await start();
    for (let page = 0; page < 4; page += 1)
      await append(log, ...Array.from({ length: 500 }, (_, index) => event('Opened', page * 500 + index)));
    const rebuilding = host.builds.rebuild('accounts', { eventsPerSecond: 1_000 });
    await until(() => (host.builds.progress()[0]?.events ?? 0) > 0);
    expect(await host.builds.dropFormer('accounts')).toEqual([]);
    expect(host.builds.progress()).toHaveLength(1);
    expect(await rebuilding).toBe(storedVersion(1, 1));
    expect(await totals()).toMatchObject({ open: 2_000 });
  });

  it('removes what an interrupted rebuild left, and the rebuild begins anew', async () => {
    const half = storedVersion(1, 1);
    const { host } = await start();
    await readStore.openModel('accounts', half, accountsProjection.collections);
    await noted(half);
    expect(await host.builds.dropFormer('accounts')).toEqual([half]);
    expect((await new OperatorSettings(readStore).of('accounts')).building).toBe(half);
    await host.builds.goOn('accounts');
    await until(async () => (await readStore.servingVersion('accounts')) === storedVersion(1, 2));
    await until(async () => (await new OperatorSettings(readStore).of('accounts')).building === null);
  });

  it('removes what a running rebuild leaves that fails before it has applied the deletion', async () => {
    const person = superstitious();
    const { host, positions } = await start(person.projection);
    const many = Array.from({ length: 2_000 }, (_, index) => event('Opened', index));
    const position = await append(log, ...many, event('Paid', 1, { amount: 13 }));
    await positions.waitUntil({ position, types: ['Paid'], milliseconds: hour });
    person.calm = false;
    const rebuilding = host.builds.rebuild('accounts', { eventsPerSecond: 2_000 });
    await until(() => (host.builds.progress()[0]?.events ?? 0) > 0);
    expect(await host.builds.dropFormer('accounts')).toEqual([]);
    await expect(rebuilding).rejects.toThrow('Thirteen');
    expect(await readStore.modelVersions('accounts')).toEqual([1]);
  });

  it('leaves the rebuild of another process alone', async () => {
    const half = storedVersion(1, 1);
    const { host } = await start();
    await readStore.openModel('accounts', half, accountsProjection.collections);
    await noted(half);
    await readStore.acquireLease(modelLease('accounts', half), 'another process', hour);
    expect(await host.builds.dropFormer('accounts')).toEqual([]);
    expect(await readStore.modelVersions('accounts')).toEqual([1, half]);
  });

  it('leaves nothing in the journals of a model that was being built meanwhile', async () => {
    await append(log, ...Array.from({ length: 30 }, (_, at) => event('Opened', at)));
    const { host } = await start();
    const scrub = jest.spyOn(readStore, 'scrub').mockRejectedValueOnce(new Error('in use'));
    const rebuilding = host.builds.rebuild('accounts', { eventsPerSecond: 200 });
    await until(() => host.builds.progress().length > 0);
    await host.builds.dropFormer('accounts');
    await rebuilding;
    expect(scrub).toHaveBeenCalledTimes(2);
    await expect(scrub.mock.results[1]!.value).resolves.toBeUndefined();
  });

  it('overwrites nothing after a build during which nothing was erased, but after one that was continued', async () => {
    const { host } = await start();
    const scrub = jest.spyOn(readStore, 'scrub').mockResolvedValue();
    await host.builds.rebuild('accounts');
    expect(scrub).not.toHaveBeenCalled();
    await host.builds.rollback('accounts');
    expect(scrub).toHaveBeenCalledTimes(1);
  });
});

describe('A paused model', () => {
  it('applies no events, delays no request, and continues from its position when it is resumed', async () => {
    const { host, positions, operations } = await start(accountsProjection, [], { now: () => 60_000 });
    await host.setPaused('accounts', true);
    await until(() => positions.status()[0]?.state === 'paused');
    const position = await append(log, event('Opened', 1));
    expect(await positions.waitUntil({ position, types: ['Opened'], milliseconds: hour })).toBe(false);
    expect(positions.lagMilliseconds()).toBe(0);
    const [paused] = await operations.status();
    expect(paused).toMatchObject({ state: 'paused', lagEvents: 1, lagSeconds: 60 });
    await host.setPaused('accounts', false);
    await until(async () => (await totals())?.open === 1);
  });

  it('stays paused over a restart', async () => {
    const first = await start();
    await first.host.setPaused('accounts', true);
    await first.host.stop();
    const { positions } = await start();
    expect(positions.status()[0]).toMatchObject({ state: 'paused' });
  });
});

/** Cannot apply payments of 13 unless it is calm. */
function superstitious(): { readonly projection: Projection; calm: boolean } {
  const person = { calm: true };
  const projection = withHandler('Paid', (handler) => ({
    ...handler,
    apply: (paid, documents) => {
      const { amount } = paid.data as { readonly amount?: number };
      if (!person.calm && amount === 13) throw new Error('Thirteen');
      return handler.apply(paid, documents);
    },
  }));
  return Object.assign(person, { projection });
}

describe('A poison event', () => {
  const person = superstitious();
  person.calm = false;
  const fragile = person.projection;

  it('is named, can be tried again, and can be discarded: rebuilds skip it, too', async () => {
    const { operations, positions, host } = await start(fragile);
    await append(log, event('Opened', 1), event('Paid', 1, { amount: 13 }), event('Paid', 1, { amount: 4 }));
    await until(() => positions.status()[0]?.state === 'halted');
    const [letter] = await operations.deadLetters();
    expect(letter).toMatchObject({ projection: 'accounts', state: 'waiting', event: { type: 'Paid' } });
    expect(letter?.reason).toContain('Thirteen');
    expect(await operations.retry({ projection: 'accounts', id: null })).toEqual(letter?.event);
    await until(() => positions.status()[0]?.state === 'halted');
    await operations.discard({ projection: 'accounts', id: null });
    await until(async () => (await totals())?.balance === 4);
    expect(await operations.deadLetters()).toMatchObject([{ state: 'discarded', event: letter?.event }]);
    await host.builds.rebuild('accounts');
    expect(await totals()).toMatchObject({ balance: 4 });
  });

  it('that was discarded can be restored once it is mended: what is read is what the log says again', async () => {
    const person = superstitious();
    person.calm = false;
    const { operations, positions } = await start(person.projection);
    await append(log, event('Opened', 1), event('Paid', 1, { amount: 13 }), event('Paid', 1, { amount: 4 }));
    await until(() => positions.status()[0]?.state === 'halted');
    const discarded = await operations.discard({ projection: 'accounts', id: null });
    await until(async () => (await totals())?.balance === 4);
    const verify = () => verifyProjection({ log, readStore }, person.projection, () => {});
    expect((await verify()).discarded).toMatchObject([discarded]);
    const restore = (id: string | null) => operations.restore({ projection: 'accounts', id }, () => {});
    await expect(restore('another')).rejects.toThrow('No such event of accounts was discarded');
    person.calm = true;
    expect(await restore(discarded.id)).toMatchObject({ events: [discarded], version: storedVersion(1, 1) });
    expect(await totals()).toMatchObject({ balance: 17 });
    expect(await versions()).toEqual([storedVersion(1, 1), [storedVersion(1, 1)]]);
    expect(await operations.deadLetters()).toEqual([]);
    expect((await verify()).discarded).toEqual([]);
    await expect(restore(null)).rejects.toThrow('No such event of accounts was discarded');
  });

  it('that is restored too early stops the rebuild, and what served serves on', async () => {
    const person = superstitious();
    person.calm = false;
    const { operations, positions } = await start(person.projection);
    await append(log, event('Opened', 1), event('Paid', 1, { amount: 13 }), event('Paid', 1, { amount: 4 }));
    await until(() => positions.status()[0]?.state === 'halted');
    await operations.discard({ projection: 'accounts', id: null });
    await until(async () => (await totals())?.balance === 4);
    await expect(operations.restore({ projection: 'accounts', id: null }, () => {})).rejects.toThrow(
      'Thirteen',
    );
    expect(await totals()).toMatchObject({ balance: 4 });
    expect(await operations.deadLetters()).toMatchObject([{ state: 'waiting' }]);
  });

  it('that a rebuild meets is named, too, and the rebuild goes on once it is discarded', async () => {
    const person = superstitious();
    const { operations, host, positions } = await start(person.projection);
    const written = [event('Opened', 1), event('Paid', 1, { amount: 13 }), event('Paid', 1, { amount: 4 })];
    await positions.waitUntil({
      position: await append(log, ...written),
      types: ['Paid'],
      milliseconds: hour,
    });
    person.calm = false;
    await expect(host.builds.rebuild('accounts')).rejects.toThrow('Thirteen');
    const [letter, ...others] = await operations.deadLetters();
    expect(others).toEqual([]);
    expect(letter).toMatchObject({ projection: 'accounts', state: 'waiting', event: { type: 'Paid' } });
    expect((await operations.status())[0]).toMatchObject({ state: 'live', servingVersion: 1 });
    expect((await operations.status())[0]?.lastError).toContain('Thirteen');
    expect(await operations.discard({ projection: 'accounts', id: null })).toEqual(letter?.event);
    await until(async () => (await readStore.servingVersion('accounts')) === storedVersion(1, 1));
    expect(await totals()).toMatchObject({ balance: 4 });
    await until(async () => (await operations.status())[0]?.lastError === null);
    expect(await operations.deadLetters()).toMatchObject([{ state: 'discarded' }]);
  });

  it('that a rebuild meets can be tried again, also after a restart', async () => {
    const person = superstitious();
    const first = await start(person.projection);
    const position = await append(log, event('Opened', 1), event('Paid', 1, { amount: 13 }));
    await first.positions.waitUntil({ position, types: ['Paid'], milliseconds: hour });
    person.calm = false;
    await expect(first.host.builds.rebuild('accounts')).rejects.toThrow('Thirteen');
    await first.host.stop();
    const { operations } = await start(person.projection);
    await until(async () => (await operations.deadLetters()).length === 1);
    person.calm = true;
    await until(() =>
      operations.retry({ projection: 'accounts', id: null }).then(
        () => true,
        () => false,
      ),
    );
    await until(async () => (await readStore.servingVersion('accounts')) === storedVersion(1, 1));
    await until(async () => (await operations.deadLetters()).length === 0);
  });

  it('that a rebuild meets leaves no version behind that a rollback would take', async () => {
    const person = superstitious();
    const { host, positions } = await start(person.projection);
    await host.builds.rebuild('accounts');
    const position = await append(log, event('Opened', 1), event('Paid', 1, { amount: 13 }));
    await positions.waitUntil({ position, types: ['Paid'], milliseconds: hour });
    person.calm = false;
    await expect(host.builds.rebuild('accounts')).rejects.toThrow('Thirteen');
    person.calm = true;
    expect(await host.builds.rollback('accounts')).toBe(1);
    expect(await host.builds.drop('accounts')).toEqual([storedVersion(1, 1), storedVersion(1, 2)]);
    await expect(host.builds.rollback('accounts')).rejects.toThrow(NoEarlierVersionError);
  });

  it('is discarded only if it is the one that is named, also while a rebuild is halted at another one', async () => {
    const person = superstitious();
    const { operations, host, positions } = await start(person.projection);
    const position = await append(log, event('Opened', 1), event('Paid', 1, { amount: 13 }));
    await positions.waitUntil({ position, types: ['Paid'], milliseconds: hour });
    person.calm = false;
    await expect(host.builds.rebuild('accounts')).rejects.toThrow('Thirteen');
    await append(log, event('Paid', 1, { amount: 13 }), event('Paid', 1, { amount: 4 }));
    await until(() => positions.status()[0]?.state === 'halted');
    const [ofModel, ofRebuild] = (await operations.deadLetters()).map((letter) => letter.event);
    expect(ofModel!.position).toBeGreaterThan(ofRebuild!.position);
    const attempt = (act: 'retry' | 'discard', id: string | null) =>
      operations[act]({ projection: 'accounts', id });
    await expect(attempt('discard', null)).rejects.toThrow(
      'accounts is halted at 2 events: name one of them.',
    );
    for (const act of ['retry', 'discard'] as const)
      await expect(attempt(act, 'another')).rejects.toThrow('accounts is not halted at the event another');
    expect(await attempt('retry', ofRebuild!.id)).toEqual(ofRebuild);
    expect(await attempt('discard', ofRebuild!.id)).toEqual(ofRebuild);
    expect(await operations.deadLetters()).toContainEqual(
      expect.objectContaining({ state: 'discarded', event: ofRebuild }),
    );
    expect((await totals())?.balance).toBe(13);
  });

  it('has to be there to be discarded', async () => {
    const { operations } = await start(fragile);
    await expect(operations.discard({ projection: 'accounts', id: null })).rejects.toThrow(
      'accounts is not halted at an event.',
    );
  });
});

describe('A reactor that is halted at an event', () => {
  it('is reported, and goes on once the event is discarded', async () => {
    const acted: number[] = [];
    const unlucky = new Set([13]);
    const act = ({ data }: RecordedEvent): Promise<void> => {
      const { account } = data as { readonly account: number };
      if (unlucky.has(account)) return Promise.reject(new Error('Thirteen'));
      acted.push(account);
      return Promise.resolve();
    };
    const options = { processName: 'test', logger: silentLogger, timing: quickTiming };
    const runner = new ReactorRunner(
      { log, readStore },
      { name: 'note-openings', on: { Opened: act } },
      options,
    );
    await runner.begin();
    const ending = new AbortController();
    const running = runner.run(ending.signal);
    const { operations } = await start(accountsProjection, [runner]);
    await append(log, event('Opened', 13), event('Opened', 14));
    await until(async () => (await operations.reactors())[0]?.state === 'halted');
    const [report] = await operations.reactors();
    expect(report).toMatchObject({ reactor: 'note-openings', lagEvents: 2, poison: { type: 'Opened' } });
    expect(report?.lastError).toContain('Thirteen');
    const name = 'reactor:note-openings';
    expect(await operations.deadLetters()).toMatchObject([{ projection: name, state: 'waiting' }]);
    expect(await operations.discard({ projection: name, id: null })).toEqual(report?.poison);
    await until(() => acted.length > 0);
    expect(acted).toEqual([14]);
    await until(async () => (await operations.reactors())[0]?.lagEvents === 0);
    expect(await operations.deadLetters()).toMatchObject([{ projection: name, state: 'discarded' }]);
    const restore = () => operations.restore({ projection: name, id: null }, () => {});
    await expect(restore()).rejects.toThrow('Thirteen');
    expect(await operations.deadLetters()).toMatchObject([{ projection: name, state: 'discarded' }]);
    unlucky.clear();
    expect(await restore()).toMatchObject({ version: null });
    expect(acted).toEqual([14, 13]);
    expect(await operations.deadLetters()).toEqual([]);
    ending.abort();
    await running;
  });
});

describe('The report of a model', () => {
  it('tells how it is doing', async () => {
    const { operations, positions } = await start();
    const position = await append(log, event('Opened', 1), event('Paid', 1));
    await positions.waitUntil({ position, types: ['Paid'], milliseconds: hour });
    await until(async () => (await operations.status())[0]?.state === 'live');
    expect((await operations.status())[0]).toMatchObject({
      projection: 'accounts',
      version: 1,
      servingVersion: 1,
      otherVersions: [],
      checkpoint: position,
      lagEvents: 0,
      lastError: null,
      building: null,
    });
    const [report] = await operations.status();
    expect(report?.eventsPerSecond).toBeGreaterThan(0);
    expect(report?.bytes).toBeGreaterThan(0);
  });

  it('counts its missing events if no process runs it', async () => {
    const { host } = await start();
    await host.stop();
    await append(log, event('Opened', 1), event('Paid', 1));
    const sources = { eventStore: log.store, readStore, projections: [accountsProjection] };
    const clock = { now: () => 60_000 };
    const [report] = await reportProjections({ ...sources, clock });
    expect(report).toMatchObject({ state: 'stopped', lagEvents: 2, servingLabel: '1' });
    expect(report?.lagSeconds).toBe(60);
  });
});

describe('The verification of a model', () => {
  it('finds it the same as rebuilt', async () => {
    const { positions } = await start();
    const position = await append(log, event('Opened', 1), event('Paid', 1));
    await positions.waitUntil({ position, types: ['Paid'], milliseconds: hour });
    const outcome = await verifyProjection({ log, readStore }, accountsProjection, () => {});
    expect(outcome.differing).toEqual([]);
    expect(outcome.rebuilt).toBe(await storedDigest(readStore, accountsProjection, 1));
    expect(outcome.rebuilt).toBe(await rebuiltDigest(log, readStore, accountsProjection));
  });

  it('names the documents that differ', async () => {
    const { host } = await start();
    await append(log, event('Opened', 1), event('Opened', 2));
    await until(async () => (await totals())?.open === 2);
    await host.stop();
    const model = await readStore.openModel('accounts', 1, accountsProjection.collections);
    const checkpoint = await model.checkpoint();
    const writes = [
      { collection: 'accounts', write: { deleteOne: { filter: { _id: 2 } } } },
      {
        collection: 'totals',
        write: { updateOne: { filter: { _id: 'all' }, update: { $set: { open: 7 } } } },
      },
      {
        collection: 'payments',
        write: { replaceOne: { filter: { _id: 'x' }, replacement: { _id: 'x' }, upsert: true } },
      },
    ];
    await model.commit({ writes, checkpoint, fencingToken: 99 });
    const { differing } = await verifyProjection({ log, readStore }, accountsProjection, () => {});
    expect(
      differing.map(({ collection, id, one, other }) => [collection, id, one !== null, other !== null]),
    ).toEqual([
      ['accounts', 2, false, true],
      ['totals', 'all', true, true],
      ['payments', 'x', true, false],
    ]);
  });
});
