import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ApiClient } from '../support/api-client.js';
import { EventStoreDbStandIn } from '../support/eventstoredb-stand-in/stand-in.js';
import { eventually } from '../support/eventually.js';
import { TestServer } from '../support/server.js';

/** Of where the log ends: enough of them to tell how often that is looked for. */
const READS = 6;

/** What requests cost of EventStoreDB, counted by the server's stand-in. */
describe('requests on EventStoreDB', () => {
  let directory: string;
  let log: EventStoreDbStandIn;
  let server: TestServer;
  let owner: ApiClient;
  let channelId: number;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'palimpsest-costs-'));
    log = await EventStoreDbStandIn.start({ directory });
    server = await TestServer.start({
      environment: {
        EVENTSTORE_URL: log.connectionString,
        // What is counted is asked of the log: how quick the other stores are does not matter.
        MONGODB_URL: '',
        SEAL_EVERY_SECONDS: '1',
        READER_THREADS: '2',
      },
    });
    owner = await server.owner();
    const made = await owner.must('post', 'channels/create', { name: 'costs', subscribers: '[]' });
    channelId = made['id'] as number;
  });

  afterAll(async () => {
    await server.stop();
    await log.stop();
    await rm(directory, { recursive: true, force: true });
  });

  const send = async (content: string): Promise<number> => {
    const sent = await owner.must('post', 'messages', {
      type: 'stream',
      to: JSON.stringify(channelId),
      topic: 'costs',
      content,
    });
    return sent['id'] as number;
  };

  it('an edit is at most two reads and one append', async () => {
    const id = await send('before');
    for (const content of ['after', '@**all** after that']) {
      const appends = log.appendsOf(`message-${id}`);
      const before = log.readsOf('messages') + log.readsOf(`message-${id}`);
      await owner.must('patch', `messages/${id}`, { content });
      expect(log.readsOf('messages') + log.readsOf(`message-${id}`) - before).toBeLessThanOrEqual(2);
      expect(log.appendsOf(`message-${id}`) - appends).toBe(1);
    }
  });

  it.each([
    ['channels/create', { name: 'made', subscribers: '[]' }],
    ['users/me/subscriptions', { subscriptions: JSON.stringify([{ name: 'subscribed' }]) }],
  ])('making a channel by %s reads the channels once at most', async (route, parameters) => {
    const before = log.readsOf('channels');
    await owner.must('post', route, parameters);
    expect(log.readsOf('channels') - before).toBeLessThanOrEqual(1);
  });

  it('are followed by one subscription in each thread that follows the log, sealing included', async () => {
    await send('first');
    // One answers requests, one is the projector, and two read for requests, once there is something to read.
    const subscriptions = (): Promise<number> => Promise.resolve(log.subscriptions);
    await eventually(subscriptions, (count) => count <= 4);
    const opened = log.subscriptionsOpened;
    const seals = log.appendsOf('seals');
    await eventually(
      async () => {
        await send('until the log is sealed');
        return log.appendsOf('seals');
      },
      (count) => count > seals + 1,
    );
    expect(log.subscriptionsOpened - opened).toBeLessThanOrEqual(1);
    expect(log.subscriptions).toBeLessThanOrEqual(4);
  });

  it('are looked for once in a second, not once for each model, when there are none', async () => {
    await send('first');
    const timeOfReads = async (): Promise<number> => {
      const [before, began] = [log.readsOfAll, performance.now()];
      await eventually(
        () => Promise.resolve(log.readsOfAll - before),
        (count) => count >= READS,
      );
      return performance.now() - began;
    };
    // What follows from the message, and what else looks there once in a second, comes in between.
    await eventually(timeOfReads, (milliseconds) => milliseconds > 300 * READS);
  });

  it('sends at fifty connections go together and read nothing', async () => {
    await send('first');
    const appends = log.appendsOf('messages');
    const others = (): number => log.readsOf('messages') - log.appendsOf('seals');
    const before = others();
    const sendTen = async (): Promise<void> => {
      for (let count = 0; count < 10; count += 1) await send('again');
    };
    await Promise.all(Array.from({ length: 50 }, sendTen));
    expect(log.appendsOf('messages') - appends).toBeLessThanOrEqual(0.2 * 500);
    // After each seal the event is read where it ends.
    expect(others()).toBeLessThanOrEqual(before + 1);
  });
});
