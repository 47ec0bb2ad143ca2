import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { silentLogger } from '../../projections/engine/logger.js';
import { ModelBuilds } from '../../projections/engine/model-builds.js';
import { ModelPositions } from '../../projections/engine/model-positions.js';
import { ProjectionHost } from '../../projections/engine/projection-host.js';
import type { LaunchProjector } from '../../projections/engine/projector-launch.js';
import { storedVersion } from '../../projections/engine/stored-version.js';
import { openEmbeddedReadStore } from '../../src/stores/read-store/embedded/embedded-read-store.js';
import type { ReadStore } from '../../src/stores/read-store/port.js';
import { accountsProjection } from './support/accounts.projection.js';
import { quickTiming } from './support/building.js';
import { launchHere } from './support/launch-here.js';
import { append, event, openTestLog, type TestLog } from './support/test-log.js';
import { until } from './support/waiting.js';

/** Longer than any test: Jest ends what hangs. */
const hour = 3_600_000;

const projections = [accountsProjection];

let log: TestLog;
let readStore: ReadStore;
let directory: string;

beforeEach(async () => {
  log = await openTestLog();
  directory = await mkdtemp(join(tmpdir(), 'palimpsest-switching-'));
  readStore = openEmbeddedReadStore({ directory });
});

afterEach(async () => {
  await readStore.close();
  await log.dispose();
  await rm(directory, { recursive: true, force: true });
});

describe('A version that was built', () => {
  it('is handed over only when its builder has ended, which receives its rate', async () => {
    const order: string[] = [];
    const tasks: object[] = [];
    let end: () => void = () => undefined;
    const launch: LaunchProjector = (task) => {
      tasks.push(task);
      const ended = new Promise<null>((resolve) => (end = () => resolve(null)));
      return { ended, send: () => undefined, kill: () => Promise.resolve() };
    };
    const builds = new ModelBuilds({
      launch,
      projections,
      readStore,
      logger: silentLogger,
      processName: 'test',
      receive: () => undefined,
      cutOver: async (name, version) => {
        order.push('handed over');
        await readStore.openModel(name, version, accountsProjection.collections);
        await readStore.switchVersion(name, null, version);
      },
      onDrop: () => undefined,
      stopping: new AbortController().signal,
    });
    const rebuilt = builds.rebuild('accounts', { eventsPerSecond: 1_250 });
    await until(() => tasks.length === 1);
    for (let turn = 0; turn < 50; turn += 1) await yieldToEventLoop();
    order.push('built');
    end();
    const version = await rebuilt;
    expect(order).toEqual(['built', 'handed over']);
    expect(tasks).toEqual([{ kind: 'build', projection: 'accounts', version, eventsPerSecond: 1_250 }]);
  });

  it('serves only when it holds all that the one before it holds', async () => {
    const positions = new ModelPositions(projections, () => Promise.resolve(null));
    const checkpointOf = async (version: number | null): Promise<number | null> => {
      if (version === null) return null;
      const model = await readStore.openModel('accounts', version, accountsProjection.collections);
      return (await model.checkpoint()).position;
    };
    const switches: (number | null)[][] = [];
    const watched = Object.create(readStore, {
      switchVersion: {
        value: async (name: string, from: number | null, to: number) => {
          switches.push([await checkpointOf(from), await checkpointOf(to)]);
          return readStore.switchVersion(name, from, to);
        },
      },
    }) as ReadStore;
    const stores = { log, readStore: watched };
    const run = launchHere({ stores, projections, processName: 'test', timing: quickTiming });
    // What comes between the end of the build and the switch is in the model that serves, and not in what was built.
    const launch: LaunchProjector = (task, listener) => {
      const projector = run(task, listener);
      if (task.kind !== 'build') return projector;
      const ended = projector.ended.then(async (error) => {
        const position = await append(log, event('Paid', 1, { amount: 1 }));
        await positions.waitUntil({ position, types: ['Paid'], milliseconds: hour });
        return error;
      });
      return { ...projector, ended };
    };
    const logger = silentLogger;
    const host = new ProjectionHost({
      launch,
      projections,
      readStore: watched,
      positions,
      logger,
      processName: 'test',
      onDrop: () => undefined,
    });
    await host.start();
    await append(log, event('Opened', 1));
    expect(await host.builds.rebuild('accounts')).toBe(storedVersion(1, 1));
    await host.stop();
    const head = await log.store.head();
    expect(switches.at(-1)).toEqual([head, head]);
  });
});
