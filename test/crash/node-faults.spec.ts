import { randomInt } from 'node:crypto';
import { setTimeout as hold } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { describeOnMongo } from '../contract/mongo-database.js';
import { ImpatientClient } from '../support/api-client.js';
import { eventually } from '../support/eventually.js';
import type { TestServer } from '../support/server.js';
import { FaultyNode } from './support/faulty-node.js';
import { Installation } from './support/installation.js';
import { logFaults, readWholeLog, sentTexts } from './support/log-faults.js';
import { keptModels, rebuiltModels } from './support/model-comparison.js';
import { PersistentWriter } from './support/persistent-writer.js';
import { SeededRandom } from './support/seeded-random.js';

const MINUTE = 60_000;
const WRITERS = 6;

/** Longer than leases are held without being renewed, in seconds: others take over what a paused process had. */
const BEYOND_LEASES = 12;

const seed = Number(process.env['CRASH_SEED'] ?? randomInt(2 ** 31));
const isWhole = process.env['NODE_FAULTS'] === 'all';

let installation: Installation;
let nodes: readonly FaultyNode[] = [];
let creations: number;

beforeEach(async () => {
  installation = await Installation.make();
  creations = 0;
  const start = (name: string, roles: string): Promise<FaultyNode> =>
    FaultyNode.start(installation, name, roles);
  // The first makes the organization; the others find it.
  const first = await start('api-1', 'api');
  const others = await Promise.all([
    start('api-2', 'api'),
    start('api-3', 'api'),
    start('projector-1', 'projector'),
    start('projector-2', 'projector'),
  ]);
  nodes = [first, ...others];
}, 10 * MINUTE);

afterEach(async () => {
  for (const node of nodes) node.server.goOn();
  await installation.remove();
  await Promise.all(nodes.map((node) => node.removeLinks()));
});

const answering = (): readonly FaultyNode[] => nodes.filter(({ name }) => name.startsWith('api'));

/** The process that a client is sent to: its own, or while that is gone another. */
function serverFor(index: number): TestServer {
  const all = answering();
  const own = all[index % all.length]!;
  return (own.isUp ? own : all.find(({ isUp }) => isUp))!.server;
}

async function startWriters(random: SeededRandom): Promise<readonly PersistentWriter[]> {
  const [{ server }] = answering() as [FaultyNode];
  const owner = await installation.owner(server);
  await owner.must('post', 'channels/create', { name: 'engines', subscribers: [] });
  const writers: PersistentWriter[] = [];
  for (let index = 0; index < WRITERS; index += 1) {
    const { client } = await server.createBot(owner, `Writer ${index}`);
    writers.push(new PersistentWriter(`writer ${index}`, client.credentials!, random.fork()));
  }
  for (const [index, writer] of writers.entries()) writer.start(() => serverFor(index));
  return writers;
}

async function expectEverybodyToGoOn(writers: readonly PersistentWriter[]): Promise<void> {
  const before = writers.map(({ acknowledged }) => acknowledged);
  const waiting = (): readonly string[] =>
    writers
      .filter(({ acknowledged }, index) => acknowledged < before[index]! + 2)
      .map(({ progress }) => progress);
  await eventually(
    () => Promise.resolve(waiting()),
    ({ length }) => length === 0,
  );
}

/** Somebody who asks every process in turn for the newest message, and finds where time went back. */
class Watcher {
  readonly findings: string[] = [];
  private newest = 0;
  private isDone = false;
  private watching: Promise<void> = Promise.resolve();

  constructor(private readonly credentials: { readonly email: string; readonly key: string }) {}

  start(): void {
    this.watching = this.watch();
  }

  async stop(): Promise<void> {
    this.isDone = true;
    await this.watching;
  }

  private async watch(): Promise<void> {
    for (let turn = 0; !this.isDone; turn += 1) {
      await this.look(serverFor(turn));
      await hold(100);
    }
  }

  private async look({ site }: TestServer): Promise<void> {
    const client = new ImpatientClient(site, this.credentials);
    const asked = { anchor: 'newest', num_before: 1, num_after: 0 };
    // Nobody answers where the process is just gone.
    const answer = await client.get('messages', asked).catch(() => null);
    if (answer?.status !== 200) return;
    const [message] = answer.body['messages'] as readonly { readonly id: number }[];
    const id = message?.id ?? 0;
    if (id < this.newest) this.findings.push(`${id} was the newest after ${this.newest}`);
    this.newest = Math.max(this.newest, id);
  }
}

/** Makes a channel, which the server tells of by one message: what follows from it happens under a lease that somebody holds. */
async function createChannel(): Promise<void> {
  const owner = await installation.owner(answering()[0]!.server);
  creations += 1;
  const name = `channel ${creations}`;
  await eventually(
    async () => {
      const at = owner.at(serverFor(creations).site);
      return at.post('channels/create', { name, subscribers: [], announce: false }).catch(() => null);
    },
    (answer) => answer?.status === 200 || answer?.body.code === 'CHANNEL_ALREADY_EXISTS',
  );
}

/** How many channels the server told of. */
function noticesIn(texts: ReadonlyMap<number, string>): number {
  return [...texts.values()].filter((text) => text.includes('channel created by')).length;
}

/** What happens to one process, each until it is over. */
const faultsOf = (node: FaultyNode): readonly (() => Promise<void>)[] => [
  () => node.restartAfterKill(),
  () => node.pausedFor(BEYOND_LEASES),
  () => node.cutOffFrom('log', 3),
  () => node.cutOffFrom('models', 3),
];

describeOnMongo(`Three processes that answer and two that project (CRASH_SEED=${seed})`, () => {
  it(
    'lose nothing, show nobody an earlier time and do everything once, whichever is killed, paused or cut off',
    async () => {
      const writers = await startWriters(new SeededRandom(seed));
      const watcher = new Watcher((await installation.owner(nodes[0]!.server)).credentials!);
      watcher.start();
      const [first, second, third, ...projectors] = nodes as [FaultyNode, FaultyNode, FaultyNode];
      const struck = isWhole ? [first, second, third, ...projectors] : [second, ...projectors];
      for (const node of struck) {
        for (const undergo of faultsOf(node)) {
          await Promise.all([undergo(), createChannel()]);
          await expectEverybodyToGoOn(writers);
        }
      }
      await Promise.all(writers.map((writer) => writer.stop()));
      await watcher.stop();
      expect(watcher.findings).toEqual([]);
      // The first channel was made before anything happened.
      const channels = creations + 1;
      await installation.look(async (stores) => {
        const told = async (): Promise<number> => noticesIn(sentTexts(await readWholeLog(stores)));
        await eventually(told, (count) => count >= channels);
      });
      await installation.stop();
      await installation.look(async (stores) => {
        const log = await readWholeLog(stores);
        expect(logFaults(log)).toEqual([]);
        const written = writers.flatMap(({ messages }) => [...messages]);
        const own = [...sentTexts(log)].filter(([, text]) => text.startsWith('writer '));
        expect(own).toHaveLength(written.length);
        expect(new Map(own)).toEqual(new Map(written.map(([id, { sent }]) => [id, sent])));
        expect(noticesIn(sentTexts(log))).toBe(channels);
        expect(await keptModels(stores)).toEqual(await rebuiltModels(stores));
      });
    },
    40 * MINUTE,
  );
});
