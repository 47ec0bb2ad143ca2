import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Registry } from 'prom-client';
import { silentLogger } from '../../projections/engine/logger.js';
import { ModelBehindError, type Reactor } from '../../projections/engine/reactor.js';
import { ReactorRunner } from '../../projections/engine/reactor-runner.js';
import { commandIdOf } from '../../src/stores/event-store/event-id.js';
import { failure } from '../../src/kernel/errors.js';
import type { RecordedEvent } from '../../src/kernel/event.js';
import { watchReactors } from '../../src/operations/watch-projections.js';
import type { EventStore } from '../../src/stores/event-store/port.js';
import { ReadStoreUnavailableError } from '../../src/stores/read-store/port.js';
import { quickTiming } from './support/building.js';
import { MemoryReadStore } from './support/memory-read-store.js';
import { append, event, openTestLog, type TestLog } from './support/test-log.js';
import { until } from './support/waiting.js';

const hour = 3_600_000;

let log: TestLog;
let readStore: MemoryReadStore;
let endings: (() => Promise<void>)[];

beforeEach(async () => {
  log = await openTestLog();
  readStore = new MemoryReadStore(true);
  endings = [];
});
afterEach(async () => {
  await Promise.all(endings.map((end) => end()));
  await log.dispose();
});

interface Started {
  readonly runner: ReactorRunner;
  stop(): Promise<void>;
}

function start(
  reactor: Reactor,
  { processName = 'one', timing = quickTiming, logger = silentLogger } = {},
): Started {
  const options = { processName, logger, timing };
  const runner = new ReactorRunner({ log, readStore }, reactor, options);
  const ending = new AbortController();
  const running = runner.run(ending.signal);
  const stop = async (): Promise<void> => {
    ending.abort();
    await running;
  };
  endings.push(stop);
  return { runner, stop };
}

/** Notes the accounts that are paid into. */
function noting(seen: number[], before: () => void = () => {}): Reactor {
  const note = (paid: RecordedEvent): Promise<void> => {
    before();
    seen.push((paid.data as { account: number }).account);
    return Promise.resolve();
  };
  return { name: 'note-payments', on: { Paid: note } };
}

function accountOf({ data }: RecordedEvent): number {
  return (data as { account: number }).account;
}

/** Starts a reactor on the log as it is, and stops it again. */
async function startOnce(reactor: Reactor): Promise<void> {
  const { stop } = start(reactor);
  const store = await readStore.openModel(`reactor-${reactor.name}`, 1, []);
  await until(async () => (await store.checkpoint()).position !== null);
  await stop();
}

describe('A reactor', () => {
  it('acts on events that come after it first ran, and never on history', async () => {
    await append(log, event('Paid', 1));
    const seen: number[] = [];
    await startOnce(noting(seen));
    const { runner } = start(noting(seen));
    const position = await append(log, event('Opened', 2), event('Paid', 2));
    expect(await runner.waitUntil(position, hour)).toBe(true);
    expect(seen).toEqual([2]);
  });

  it('skips events that do not concern it without decoding them', async () => {
    const seen: number[] = [];
    const selective: Reactor = { ...noting(seen), concerns: ({ data }) => data['account'] !== 2 };
    const { runner } = start(selective);
    const decoded: unknown[] = [];
    const decode = log.decode.bind(log);
    log.decode = (events) => {
      decoded.push(...events.map(({ data }) => data['account']));
      return decode(events);
    };
    await runner.begin();
    const position = await append(
      log,
      event('Paid', 1),
      event('Paid', 2),
      event('Paid', 3),
      event('Paid', 2),
    );
    expect(await runner.waitUntil(position, hour)).toBe(true);
    expect(seen).toEqual([1, 3]);
    expect(decoded).toEqual([1, 3]);
  });

  it('acts on what came after it began, though no process ran it by then', async () => {
    await append(log, event('Paid', 1));
    const seen: number[] = [];
    const options = { logger: silentLogger, timing: quickTiming };
    const begin = (processName: string): Promise<void> =>
      new ReactorRunner({ log, readStore }, noting(seen), { ...options, processName }).begin();
    await Promise.all([begin('one'), begin('other')]);
    const position = await append(log, event('Paid', 2));
    await begin('late');
    expect(await start(noting(seen)).runner.waitUntil(position, hour)).toBe(true);
    expect(seen).toEqual([2]);
  });

  it('remembers where it began though nothing has happened since', async () => {
    await append(log, event('Paid', 1));
    const seen: number[] = [];
    await startOnce(noting(seen));
    const position = await append(log, event('Paid', 2));
    await start(noting(seen)).runner.waitUntil(position, hour);
    expect(seen).toEqual([2]);
  });

  it('has stored where it begins before it follows the log', async () => {
    const position = await append(log, event('Paid', 1));
    const model = await readStore.openModel('reactor-note-payments', 1, []);
    const { store } = log;
    const stored: (number | null)[] = [];
    const subscribeAll = store.subscribeAll.bind(store);
    store.subscribeAll = async function* (options) {
      stored.push((await model.checkpoint()).position);
      yield* subscribeAll(options);
    };
    start(noting([]));
    await until(() => stored.length > 0);
    expect(stored).toEqual([position]);
  });

  it('that began on an empty log acts on its first event, even if that came while it was down', async () => {
    const seen: number[] = [];
    await startOnce(noting(seen));
    const position = await append(log, event('Paid', 1));
    await start(noting(seen)).runner.waitUntil(position, hour);
    expect(seen).toEqual([1]);
  });

  it('resumes after what it has done', async () => {
    const seen: number[] = [];
    await startOnce(noting(seen));
    const first = start(noting(seen));
    await first.runner.waitUntil(await append(log, event('Paid', 1), event('Paid', 2)), hour);
    await first.stop();
    const position = await append(log, event('Paid', 3));
    await start(noting(seen)).runner.waitUntil(position, hour);
    expect(seen).toEqual([1, 2, 3]);
  });

  it('is given a failing event again, and nothing after it, until it succeeds', async () => {
    const seen: number[] = [];
    let failures = 3;
    const reactor = noting(seen, () => {
      if (seen.length === 1 && failures > 0) {
        failures -= 1;
        throw new Error('Not now');
      }
    });
    await startOnce(reactor);
    const { runner } = start(reactor);
    const first = await append(log, event('Paid', 1));
    const last = await append(log, event('Paid', 2), event('Paid', 3));
    expect(await runner.waitUntil(first, hour)).toBe(true);
    expect(await runner.waitUntil(last, hour)).toBe(true);
    expect(failures).toBe(0);
    expect(seen).toEqual([1, 2, 3]);
  });

  it('handles events of different partitions concurrently, and those of one partition in order', async () => {
    const begun: number[] = [];
    const seen: string[] = [];
    const act = async ({ revision, data }: RecordedEvent): Promise<void> => {
      const { account } = data as { account: number };
      begun.push(account);
      await until(() => begun.includes(1) && begun.includes(2));
      seen.push(`${account}: ${revision}`);
    };
    const reactor: Reactor = { name: 'partitioned', on: { Paid: act }, partitionOf: accountOf };
    await startOnce(reactor);
    const { runner } = start(reactor);
    const position = await append(log, event('Paid', 1), event('Paid', 1), event('Paid', 2));
    expect(await runner.waitUntil(position, hour)).toBe(true);
    expect(seen.filter((text) => text.startsWith('1'))).toEqual(['1: 0', '1: 1']);
    expect(seen).toHaveLength(3);
    begun.length = 0;
    const another = await append(log, event('Paid', 1));
    // What another command did waits until all of the first one is acted on.
    const last = await append(log, event('Paid', 2));
    await until(() => begun.length === 1);
    expect(await runner.waitUntil(another, 5)).toBe(false);
    begun.push(2);
    expect(await runner.waitUntil(last, hour)).toBe(true);
    expect(seen.slice(3)).toEqual(['1: 3', '2: 4']);
  });

  it('is given again what failed of a command, and what came after that in it', async () => {
    const seen: number[] = [];
    let failures = 2;
    const reactor: Reactor = {
      ...noting(seen, () => {
        if (seen.length === 1 && failures > 0) {
          failures -= 1;
          throw new Error('Not now');
        }
      }),
      partitionOf: accountOf,
    };
    await startOnce(reactor);
    const { runner } = start(reactor);
    const last = await append(log, event('Paid', 1), event('Paid', 2), event('Paid', 3), event('Paid', 2));
    expect(await runner.waitUntil(last - 3, hour)).toBe(true);
    expect(await runner.waitUntil(last, hour)).toBe(true);
    expect(failures).toBe(0);
    expect(seen).toEqual([1, 2, 3, 2]);
  });

  it('shows in the metrics that it is halted, and for how long', async () => {
    const reactor = noting([], () => {
      throw new Error('Broken');
    });
    await startOnce(reactor);
    const { runner } = start(reactor);
    const registry = new Registry();
    watchReactors(registry, () => [runner.status()]);
    await until(() => runner.status().state === 'acting');
    expect(await registry.metrics()).toMatch(
      /^palimpsest_reactor_stopped_seconds\{reactor="note-payments"\} 0$/m,
    );
    await append(log, event('Paid', 1));
    await until(() => runner.status().state === 'halted' && runner.status().stoppedMilliseconds > 0);
    const shown = await registry.metrics();
    expect(shown).toMatch(/^palimpsest_reactor_halted\{reactor="note-payments"\} 1$/m);
    const seconds = /^palimpsest_reactor_stopped_seconds\{reactor="note-payments"\} (\S+)$/m.exec(shown)?.[1];
    expect(Number(seconds)).toBeGreaterThan(0);
  });

  it('says at which event it is halted and why, and goes on without it once it is discarded', async () => {
    const seen: number[] = [];
    await startOnce(noting(seen));
    const { runner, stop } = start(noting(seen));
    const stored = { id: '00000000-0000-4000-8000-000000000001', type: 'Paid', data: { account: 1 } };
    await log.store.append('messages', 'any', [{ ...stored, metadata: { schemaVersion: 2, actorId: 1 } }]);
    const position = await append(log, event('Paid', 2));
    await until(() => runner.status().state === 'halted');
    const { stoppage } = runner.status();
    expect(stoppage?.reason).toContain('cannot be read');
    expect(stoppage?.event).toMatchObject({ id: stored.id, type: 'Paid', position: 1 });
    expect(await runner.waitUntil(position, 5)).toBe(false);
    await runner.discard({ ...stoppage!.event!, reason: 'Thirteen', discardedAt: 7 });
    expect(await runner.waitUntil(position, hour)).toBe(true);
    expect(seen).toEqual([2]);
    await until(() => runner.status().stoppage === null);
    await stop();
    expect(runner.status().state).toBe('standby');
  });

  it('acts on a restored event, by reading it where it is', async () => {
    await log.dispose();
    log = await openTestLog(withGaps);
    const seen: number[] = [];
    let isBroken = true;
    const reactor = noting(seen, () => {
      if (isBroken) throw new Error('Broken');
    });
    await append(log, event('Paid', 0));
    await startOnce(reactor);
    const { runner } = start(reactor);
    await append(log, event('Paid', 1));
    await until(() => runner.status().state === 'halted');
    const discarded = { ...runner.status().stoppage!.event!, reason: 'Broken', discardedAt: 7 };
    await runner.discard(discarded);
    await until(() => runner.status().stoppage === null);
    await expect(runner.restore(discarded)).rejects.toThrow('Broken');
    isBroken = false;
    expect(await runner.waitUntil(await append(log, event('Paid', 2)), hour)).toBe(true);
    await expect(runner.restore({ ...discarded, position: 1 })).rejects.toThrow('has no event');
    expect(await runner.discarded()).toEqual([discarded]);
    await runner.restore(discarded);
    expect(seen).toEqual([2, 1]);
    expect(await runner.discarded()).toEqual([]);
  });

  it.each([
    ['a model that it reads lags', new ModelBehindError('The directory')],
    ['a store is unavailable', new ReadStoreUnavailableError('No answer')],
    ['something that it calls has no room now', failure('unavailable')],
  ])('waits without being halted, and warns, while %s', async (_, error) => {
    const seen: number[] = [];
    let isInTheWay = true;
    const reactor = noting(seen, () => {
      if (isInTheWay) throw error;
    });
    await startOnce(reactor);
    const levels = new Set<string>();
    const note = (level: string) => () => void levels.add(level);
    const logger = { ...silentLogger, warn: note('warn'), error: note('error') };
    const { runner } = start(reactor, { logger });
    const position = await append(log, event('Paid', 1));
    await until(() => runner.status().stoppage !== null);
    expect(runner.status()).toMatchObject({
      state: 'unavailable',
      stoppage: { reason: error.message, event: null },
    });
    isInTheWay = false;
    expect(await runner.waitUntil(position, hour)).toBe(true);
    expect({ seen, levels: [...levels] }).toEqual({ seen: [1], levels: ['warn'] });
  });

  it('says that it has passed events that it does not handle', async () => {
    await startOnce(noting([]));
    const { runner } = start(noting([]));
    const position = await append(log, event('Opened', 1));
    expect(await runner.waitUntil(position, hour)).toBe(true);
    expect(runner.status()).toMatchObject({ state: 'acting', position, stoppage: null });
    expect(await runner.waitUntil(position + 1, 5)).toBe(false);
  });

  it('stores its checkpoint soon after it acted, and seldom after events that it does not handle', async () => {
    await startOnce(noting([]));
    const timing = { ...quickTiming, checkpointMilliseconds: hour, reactorCheckpointMilliseconds: 0 };
    const { runner, stop } = start(noting([]), { timing });
    const acted = await append(log, event('Paid', 1));
    await until(async () => (await runner.storedPosition()) === acted);
    const passed = await append(log, event('Opened', 1));
    expect(await runner.waitUntil(passed, hour)).toBe(true);
    expect(await runner.storedPosition()).toBe(acted);
    await stop();
    expect(await runner.storedPosition()).toBe(passed);
  });

  it('does each thing once although it dies between the effect and the checkpoint', async () => {
    const auditing: Reactor = {
      name: 'audit-payments',
      on: {
        Paid: async (paid) => {
          const metadata = {
            ...paid.metadata,
            commandId: commandIdOf(['audit-payments', paid.id]),
            causationId: paid.id,
          };
          const { account } = paid.data as { account: number };
          await log.append({ stream: 'messages', expected: 'any' }, [event('Audited', account)], metadata);
        },
      },
    };
    await startOnce(auditing);
    let dying = true;
    readStore.beforeWrite = () => {
      if (dying) throw new Error('Killed before the checkpoint');
    };
    const first = start(auditing);
    await append(log, event('Paid', 1));
    await until(async () => (await audited()) === 1);
    await first.stop();
    dying = false;
    const second = start(auditing);
    const position = await append(log, event('Paid', 2));
    expect(await second.runner.waitUntil(position, hour)).toBe(true);
    expect(await audited()).toBe(2);
  });

  it('runs once among several processes, and its progress is known to the others', async () => {
    const seen: number[] = [];
    await startOnce(noting(seen));
    const one = start(noting(seen), { processName: 'one' });
    await until(async () => (await readStore.acquireLease('reactor:note-payments', 'two', 1)) === null);
    const two = start(noting(seen), { processName: 'two' });
    const position = await append(log, event('Paid', 1));
    expect(await two.runner.waitUntil(position, hour)).toBe(true);
    expect(await one.runner.waitUntil(position, hour)).toBe(true);
    expect(seen).toEqual([1]);
  });
});

/** A log whose positions are not dense and that cannot be followed from between them, as EventStoreDB's. */
function withGaps(store: EventStore): EventStore {
  const spread = <Place extends { readonly position: number }>(place: Place): Place => ({
    ...place,
    position: place.position * 10,
  });
  const gapped: Partial<EventStore> = {
    append: async (...input) => spread(await store.append(...input)),
    head: async () => ((await store.head()) ?? 0) * 10,
    eventAt: async (position) => {
      const found = await store.eventAt(position / 10);
      return found && spread(found);
    },
    subscribeAll: async function* (options) {
      const after = (options.after ?? 0) / 10;
      if (!Number.isInteger(after)) throw new Error('No record is there');
      for await (const page of store.subscribeAll({ ...options, after })) {
        yield { ...spread(page), events: page.events.map(spread) };
      }
    },
  };
  return Object.assign(Object.create(store) as EventStore, gapped);
}

async function audited(): Promise<number> {
  const events = await log.readStream('messages', { limit: 100 });
  return events.filter(({ type }) => type === 'Audited').length;
}
