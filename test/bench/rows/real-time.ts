import { setTimeout as pause } from 'node:timers/promises';
import type { ApiClient } from '../../support/api-client.js';
import { besides, quantity, type BenchRow, type Measurement, type Size } from '../measurement.js';
import { populate } from '../support/people.js';
import { createChannel } from '../support/requests.js';
import { residentMegabytes } from '../support/resident-memory.js';
import { median } from '../support/rounds.js';
import { ownerOf, startProduct, type ServerProcess } from '../support/server-process.js';
import { inTemporaryFolder } from '../support/temporary-folder.js';
import { WaitingClients } from '../support/waiting-clients.js';

/** The most memory that a waiting client may take on the server, in kilobytes, including its connection. */
const MAX_KILOBYTES = 100;

/** The delay until clients get a message, the memory of waiting clients, and the time to register. */
export const realTimeRow: BenchRow = {
  name: 'real-time',
  measure: async (size) => [
    ...(await inTemporaryFolder((folder) => measureDelivery(folder, size))),
    ...(await inTemporaryFolder((folder) => measureRegistration(folder, size))),
  ],
};

async function measureDelivery(folder: string, { quick }: Size): Promise<readonly Measurement[]> {
  const product = await startProduct(folder);
  try {
    const owner = await ownerOf(product, folder);
    const channelId = await createChannel(owner, 'news');
    const counts = quick ? [1, 20] : [1, 100, 1_000];
    const measurements: Measurement[] = [];
    for (const count of counts) {
      const before = await residentMegabytes(product.pid);
      const clients = await WaitingClients.register(owner, count);
      const rounds = await hear(owner, { clients, channelId, rounds: quick ? 3 : 20 });
      measurements.push({
        what: `from a send's reply to its event at ${count} waiting clients`,
        ours: `${quantity(median(rounds.map(({ typical }) => typical)), 'ms')}, the last of them ${quantity(median(rounds.map(({ last }) => last)), 'ms')}`,
        beside: { what: 'the send itself', result: quantity(median(rounds.map(({ send }) => send)), 'ms') },
        ratio: median(rounds.map(({ last, send }) => last / send)),
        target: null,
        work: `${rounds.length} messages, each client with a connection and a held poll of its own`,
      });
      if (count === counts.at(-1)) measurements.push(await memoryOf(product, { clients, count, before }));
      await clients.end();
    }
    return measurements;
  } finally {
    await product.stop();
  }
}

interface Hearing {
  readonly clients: WaitingClients;
  readonly channelId: number;
  readonly rounds: number;
}

interface Heard {
  /** Milliseconds from the request to its reply. */
  readonly send: number;
  /** Milliseconds from the reply to the event, for the median client and for the last one. */
  readonly typical: number;
  readonly last: number;
}

async function hear(owner: ApiClient, { clients, channelId, rounds }: Hearing): Promise<readonly Heard[]> {
  const heard: Heard[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const polls = clients.poll();
    // Gives the server time to hold all polls before the message is sent.
    await pause(200);
    const start = performance.now();
    await owner.must('post', 'messages', {
      type: 'stream',
      to: channelId,
      topic: 'news',
      content: `${round}`,
    });
    const replied = performance.now();
    const arrivals = await Promise.all(polls.map(({ answered }) => answered));
    const delays = arrivals.map((arrival) => arrival - replied);
    // The first round is for warming up.
    if (round > 0) {
      heard.push({ send: replied - start, typical: median(delays), last: Math.max(...delays) });
    }
  }
  return heard;
}

async function memoryOf(
  { pid }: ServerProcess,
  {
    clients,
    count,
    before,
  }: { readonly clients: WaitingClients; readonly count: number; readonly before: number },
): Promise<Measurement> {
  clients.poll().forEach(({ answered }) => void answered.catch(() => undefined));
  await pause(1_000);
  const kilobytes = (((await residentMegabytes(pid)) - before) * 1000) / count;
  return {
    what: 'memory of the server for a waiting client',
    ours: quantity(kilobytes, 'kB'),
    beside: { what: 'bound', result: `${MAX_KILOBYTES} kB` },
    ratio: kilobytes / MAX_KILOBYTES,
    target: { atMost: 1 },
    work: `${count} clients, their connections and what was sent to them included`,
  };
}

async function measureRegistration(folder: string, { quick }: Size): Promise<readonly Measurement[]> {
  const [people, channels] = quick ? [500, 50] : [10_000, 1_000];
  const userIds = await populate(folder, people - 1);
  const product = await startProduct(folder);
  try {
    const owner = await ownerOf(product, folder);
    await createChannel(owner, 'everyone', userIds);
    const together = 50;
    for (let from = 0; from < channels; from += together) {
      const subscriptions = Array.from({ length: together }, (_, index) => ({
        name: `channel ${from + index}`,
      }));
      await owner.must('post', 'users/me/subscriptions', { subscriptions });
    }
    const [registering, writing]: [number[], number[]] = [[], []];
    for (let round = 0; round <= (quick ? 2 : 10); round += 1) {
      const start = performance.now();
      const state = await owner.must('post', 'register', {});
      const registered = performance.now();
      JSON.parse(JSON.stringify(state));
      if (round > 0) registering.push(registered - start);
      if (round > 0) writing.push(performance.now() - registered);
    }
    return [
      {
        what: `register with ${channels.toLocaleString('en')} channels and ${people.toLocaleString('en')} people`,
        ...besides(
          registering,
          { what: 'writing and reading the same as JSON', samples: writing },
          { ours: 'ms', theirs: 'ms' },
        ),
        target: null,
        work: `${registering.length} times, every part of the state, over HTTP and read by the client`,
      },
    ];
  } finally {
    await product.stop();
  }
}
