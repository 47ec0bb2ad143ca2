import { randomInt } from 'node:crypto';
import { cp } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Stores } from '../../src/stores/stores.js';
import { eventually } from '../support/eventually.js';
import { ServerStores } from '../support/server-stores.js';
import { TestServer } from '../support/server.js';
import { Crew } from './support/crew.js';
import { newDataDirectory, removeDataDirectory, withStoresOf } from './support/data-directory.js';
import { logFaults, readWholeLog, sentTexts, type WholeLog } from './support/log-faults.js';
import { keptModels, rebuiltModels } from './support/model-comparison.js';
import { SeededRandom } from './support/seeded-random.js';

/** How often the server is killed; `CRASH_SEED` repeats a run's choices, though not its timing. */
const onServers = process.env['E2E_STORES'] === 'servers';
const kills = Number(process.env['CRASH_KILLS'] ?? (onServers ? 2 : 8));
const seed = Number(process.env['CRASH_SEED'] ?? randomInt(2 ** 31));

/** Leases on servers outlive a process that dies by ten seconds; then it completes what was cut off, beside other suites. Ends what hangs. */
const TIMEOUT = 300_000;

let directory: string;
let serverStores: ServerStores;
let server: TestServer | undefined;

beforeEach(async () => {
  directory = await newDataDirectory();
  serverStores = await ServerStores.open();
});

afterEach(async () => {
  await server?.kill();
  await serverStores.close();
  await removeDataDirectory(directory);
});

async function start(): Promise<TestServer> {
  server = await TestServer.start({ directory, stores: serverStores });
  return server;
}

async function expectModelsAsRebuilt(stores: Stores): Promise<void> {
  expect(await keptModels(stores)).toEqual(await rebuiltModels(stores));
}

/** Looks into a data directory as the kill left it, in a copy: recovering it is for the next start. */
async function expectModelsOfCopyAsRebuilt(): Promise<void> {
  const copy = await newDataDirectory();
  try {
    await cp(directory, copy, { recursive: true, filter: (source) => !source.endsWith('.sock') });
    await withStoresOf(copy, expectModelsAsRebuilt);
  } finally {
    await removeDataDirectory(copy);
  }
}

/** Whether a server says that it may be sent requests: then it has read what it wrote before it was killed. */
function expectSentOnce(log: WholeLog, { authors, world }: Crew): void {
  const texts = sentTexts(log);
  const count = new Map<string, number>();
  for (const text of texts.values()) count.set(text, (count.get(text) ?? 0) + 1);
  for (const { acknowledged, abandoned } of authors) {
    expect(acknowledged.filter(({ id, text }) => texts.get(id) !== text)).toEqual([]);
    expect(acknowledged.filter(({ text }) => count.get(text) !== 1)).toEqual([]);
    expect(abandoned.filter((text) => (count.get(text) ?? 0) > 1)).toEqual([]);
  }
  const everything = JSON.stringify(log.events);
  expect(world.refused.filter((text) => everything.includes(text))).toEqual([]);
}

describe(`A server that is killed ${kills} times while twenty clients write (CRASH_SEED=${seed})`, () => {
  it(
    'keeps acknowledged writes, nothing of refused ones, and interrupted ones completely or not at all',
    async () => {
      const random = new SeededRandom(seed);
      let running = await start();
      const crew = await Crew.hire(running, random);
      for (let kill = 0; kill < kills; kill += 1) {
        await crew.writeUntilKilled(running, random.between(10, 120));
        expect(running.failures).toEqual([]);
        if (!onServers) await expectModelsOfCopyAsRebuilt();
        running = await start();
        await running.ready();
        await eventually(
          () => crew.discrepancies(running),
          (discrepancies) => discrepancies.length === 0,
          TIMEOUT,
        );
        await crew.retry(running);
        expect(await crew.lockedOut(running)).toEqual([]);
      }
      await running.stop();
      expect({ exitCode: running.exitCode, failures: running.failures }).toEqual({
        exitCode: 0,
        failures: [],
      });

      await withStoresOf(
        directory,
        async (stores) => {
          const log = await readWholeLog(stores);
          expect(logFaults(log)).toEqual([]);
          expectSentOnce(log, crew);
          await expectModelsAsRebuilt(stores);
        },
        serverStores.environment,
      );
    },
    TIMEOUT + kills * TIMEOUT,
  );
});
