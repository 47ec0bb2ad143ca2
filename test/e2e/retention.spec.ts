import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ApiClient, Reply } from '../support/api-client.js';
import { CommandLine } from '../support/command-line.js';
import { eventually } from '../support/eventually.js';
import { Listener } from '../support/listener.js';
import { sendEarlier, type OlderMessage } from '../support/older-messages.js';
import { ServerStores } from '../support/server-stores.js';
import { TestServer } from '../support/server.js';

// The server starts twice.
let stores: ServerStores;
let directory: string;
let server: TestServer;
let owner: ApiClient;
let ownerId: number;
const channelIds: Record<string, number> = {};

const day = 86_400;

beforeAll(async () => {
  stores = await ServerStores.open();
  directory = await mkdtemp(join(tmpdir(), 'palimpsest-retention-'));
  server = await TestServer.start({ stores, directory });
  owner = await server.owner();
  ownerId = (await owner.must('get', 'users/me'))['user_id'] as number;
  for (const [name, message_retention_days] of [
    ['short', 3],
    ['for ever', 'unlimited'],
    ['usual', undefined],
  ] as const) {
    channelIds[name] = await owner.createChannel(name, { message_retention_days });
  }
});

afterAll(async () => {
  await server.stop();
  await stores.close();
  await rm(directory, { recursive: true, force: true });
});

/** Writes history while the server does not run. */
async function restartAfter(messages: readonly OlderMessage[]): Promise<number[]> {
  await server.stop();
  const ids = await sendEarlier(directory, stores, messages);
  server = await TestServer.start({ stores, directory });
  await server.ready();
  owner = owner.at(server.site);
  return ids;
}

function sentTo(name: string, days: number): OlderMessage {
  const recipient = { type: 'channel', channelId: channelIds[name]!, topic: 'looms' } as const;
  return { senderId: ownerId, recipient, age: days * day };
}

async function left(ids: readonly number[]): Promise<number[]> {
  const { messages } = await owner.must('get', 'messages', { message_ids: ids });
  return (messages as Reply[]).map((message) => message['id'] as number);
}

describe('messages that exceed their retention time', () => {
  it('are deleted in a channel with a retention time, with events to clients', async () => {
    const { state } = await Listener.register(owner, { event_types: ['delete_message'] });
    const [old, older, young, kept, other] = await restartAfter([
      sentTo('short', 5),
      sentTo('short', 4),
      sentTo('short', 2),
      sentTo('for ever', 400),
      sentTo('usual', 400),
    ]);
    const ids = [old!, older!, young!, kept!, other!];
    await eventually(
      () => left(ids),
      (found) => found.length === 3,
    );
    expect(await left(ids)).toEqual([young, kept, other]);
    const listener = Listener.registered(owner, state);
    const gone: number[] = [];
    await eventually(
      async () => {
        const events = await listener.newsOf('delete_message');
        gone.push(...events.flatMap(({ message_ids }) => message_ids as number[]));
        return gone;
      },
      (found) => found.length >= 2,
    );
    expect(gone.sort((one, another) => one - another)).toEqual([old, older]);
    expect((await owner.get(`messages/${old}`)).status).toBe(400);
    const { topics } = await owner.must('get', `users/me/${channelIds['short']}/topics`);
    expect(topics).toContainEqual({ name: 'looms', max_id: young });
  });

  it('are deleted where the organization says so and the channel says nothing, and between people; and erased', async () => {
    await owner.must('patch', 'realm', { message_retention_days: 30, message_erasure_policy: 'erase' });
    const direct: OlderMessage['recipient'] = { type: 'direct', userIds: [ownerId] };
    const ids = await restartAfter([
      sentTo('usual', 31),
      sentTo('usual', 29),
      sentTo('for ever', 31),
      { senderId: ownerId, recipient: direct, age: 31 * day },
      { senderId: ownerId, recipient: direct, age: 29 * day },
    ]);
    await eventually(
      () => left(ids),
      (found) => found.length === 3,
    );
    expect(await left(ids)).toEqual([ids[1], ids[2], ids[4]]);
    const tool = new CommandLine({ ...stores.environment, DATA_DIR: directory });
    const life = (id: number | undefined): Promise<string> => tool.must('audit', 'history', String(id));
    for (const expired of [ids[0], ids[3]]) {
      await eventually(
        () => life(expired),
        (told) => told.includes('(erased)'),
      );
    }
    expect(await life(ids[1])).not.toContain('(erased)');
  });
});
