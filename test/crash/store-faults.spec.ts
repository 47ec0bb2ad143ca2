import { randomInt } from 'node:crypto';
import { setTimeout as hold } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ServerStores } from '../support/server-stores.js';
import { eventually } from '../support/eventually.js';
import { TestServer } from '../support/server.js';
import { newDataDirectory, removeDataDirectory, withStoresOf } from './support/data-directory.js';
import { faultyServer, faultyStandIn, type FaultyStore, type StoreFault } from './support/faulty-store.js';
import { logFaults, readWholeLog, sentTexts } from './support/log-faults.js';
import { keptModels, rebuiltModels } from './support/model-comparison.js';
import { PersistentWriter } from './support/persistent-writer.js';
import { SeededRandom } from './support/seeded-random.js';

/** Something that goes wrong while people write. */
interface Fault {
  /** Null: nothing happens to the store. */
  readonly store: StoreFault | null;
  /** For how long the store is away, in seconds. */
  readonly seconds: number;
  /** Whether the server is killed meanwhile, and started again. */
  readonly server: boolean;
}

const storeFault = (store: StoreFault, seconds: number): Fault => ({ store, seconds, server: false });

const faults: readonly Fault[] = [
  ...[0, 1, 2, 4].map((seconds) => storeFault('killed', seconds)),
  ...[0, 1, 2].map((seconds) => storeFault('ended', seconds)),
  ...[2, 3, 4, 6, 8, 12].map((seconds) => storeFault('stopped', seconds)),
  ...[0, 0, 0].map((seconds) => ({ store: null, seconds, server: true })),
  { store: 'killed', seconds: 1, server: true },
  { store: 'killed', seconds: 3, server: true },
  { store: 'stopped', seconds: 2, server: true },
  { store: 'stopped', seconds: 5, server: true },
];

const WRITERS = 8;
/** How many more writes are acknowledged before the next fault. */
const WRITES_BETWEEN = 24;
const MINUTE = 60_000;

const seed = Number(process.env['CRASH_SEED'] ?? randomInt(2 ** 31));
const url = process.env['STORE_FAULTS'] === 'server' ? process.env['EVENTSTORE_URL'] : undefined;

let directory: string;
let store: FaultyStore;
let server: TestServer;

beforeEach(async () => {
  directory = await newDataDirectory();
  store = await (url === undefined ? faultyStandIn() : faultyServer(url));
});

afterEach(async () => {
  await server.kill();
  await store.remove();
  await removeDataDirectory(directory);
});

function start(): Promise<TestServer> {
  return TestServer.start({
    directory,
    stores: ServerStores.embedded(),
    environment: { EVENTSTORE_URL: store.url },
  });
}

/** Makes bots that write in a channel, and begins. */
async function startWriters(random: SeededRandom): Promise<readonly PersistentWriter[]> {
  const owner = await server.owner();
  await owner.must('post', 'channels/create', { name: 'engines', subscribers: [] });
  const writers: PersistentWriter[] = [];
  for (let index = 0; index < WRITERS; index += 1) {
    const { client } = await server.createBot(owner, `Writer ${index}`);
    writers.push(new PersistentWriter(`writer ${index}`, client.credentials!, random.fork()));
  }
  for (const writer of writers) writer.start(() => server);
  return writers;
}

async function undergo({ store: fault, seconds, server: isServerKilled }: Fault): Promise<void> {
  if (fault !== null) await store.suffer(fault);
  if (isServerKilled) await server.kill();
  // A server that starts waits for the store that is away.
  const started = isServerKilled ? start() : null;
  await hold(1000 * seconds);
  await store.recover();
  if (started !== null) server = await started;
}

const sum = (writers: readonly PersistentWriter[]): number =>
  writers.reduce((total, { acknowledged }) => total + acknowledged, 0);

/** Every writer gets on again: nobody is left behind by what happened. */
async function expectEverybodyToGoOn(writers: readonly PersistentWriter[]): Promise<void> {
  const before = writers.map(({ acknowledged }) => acknowledged);
  const haveGoneOn = (): boolean =>
    writers.every(({ acknowledged }, index) => acknowledged > before[index]!) &&
    sum(writers) >= before.reduce((total, count) => total + count, 0) + WRITES_BETWEEN;
  await eventually(() => Promise.resolve(haveGoneOn()), Boolean);
}

async function expectNothingLostOrDoubled(writers: readonly PersistentWriter[]): Promise<void> {
  await withStoresOf(
    directory,
    async (stores) => {
      const log = await readWholeLog(stores);
      expect(logFaults(log)).toEqual([]);
      const texts = sentTexts(log);
      const written = writers.flatMap(({ messages }) => [...messages]);
      // Exactly what was acknowledged: each once, under the id that was told, and nothing else.
      const own = [...texts].filter(([, text]) => text.startsWith('writer '));
      expect(new Map(own)).toEqual(new Map(written.map(([id, { sent }]) => [id, sent])));
      expect(own).toHaveLength(written.length);
      expect(await keptModels(stores)).toEqual(await rebuiltModels(stores));
    },
    { EVENTSTORE_URL: store.url },
  );
}

async function expectTextsAsAcknowledged(writers: readonly PersistentWriter[]): Promise<void> {
  const owner = await server.owner();
  const written = writers.flatMap(({ messages }) => [...messages]);
  for (let start = 0; start < written.length; start += 500) {
    const part = written.slice(start, start + 500);
    const { messages } = await owner.must('get', 'messages', {
      message_ids: part.map(([id]) => id),
      apply_markdown: false,
    });
    const read = (messages as { id: number; content: string }[]).map(({ id, content }) => [id, content]);
    expect(new Map(read as [number, string][])).toEqual(new Map(part.map(([id, { now }]) => [id, now])));
  }
}

describe(`A server under ${faults.length} faults of its event store and of itself (CRASH_SEED=${seed})`, () => {
  it(
    'loses nothing that it acknowledged, doubles nothing, and goes on after each',
    async () => {
      server = await start();
      const writers = await startWriters(new SeededRandom(seed));
      await expectEverybodyToGoOn(writers);
      for (const fault of faults) {
        await undergo(fault);
        await expectEverybodyToGoOn(writers);
      }
      await Promise.all(writers.map((writer) => writer.stop()));
      // The faults were felt: else nothing was tried.
      expect(writers.some(({ failures }) => failures > 0)).toBe(true);
      await expectTextsAsAcknowledged(writers);
      await server.stop();
      expect(server.exitCode).toBe(0);
      await expectNothingLostOrDoubled(writers);
    },
    40 * MINUTE,
  );
});
