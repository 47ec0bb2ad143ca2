import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ApiClient, Reply } from '../support/api-client.js';
import { eventually } from '../support/eventually.js';
import { sendEarlier } from '../support/older-messages.js';
import { ServerStores } from '../support/server-stores.js';
import { TestServer } from '../support/server.js';

/** The server that stands in for MongoDB scans whole collections. */
const count = process.env['E2E_STORES'] === 'servers' ? 120 : 10_000;
const page = count / 2;

let stores: ServerStores;
let directory: string;
let server: TestServer;
let owner: ApiClient;
let channelId: number;
let ids: readonly number[];

beforeAll(async () => {
  stores = await ServerStores.open();
  directory = await mkdtemp(join(tmpdir(), 'palimpsest-many-'));
  server = await TestServer.start({ stores, directory });
  owner = await server.owner();
  channelId = await owner.createChannel('lab');
  const senderId = (await owner.must('get', 'users/me'))['user_id'] as number;
  await server.stop();
  const recipient = { type: 'channel', channelId, topic: 'looms' } as const;
  ids = await sendEarlier(
    directory,
    stores,
    Array.from({ length: count }, () => ({ senderId, recipient, age: 60 })),
  );
  server = await TestServer.start({ stores, directory });
  await server.ready();
  owner = owner.at(server.site);
});

afterAll(async () => {
  await server.stop();
  await stores.close();
  await rm(directory, { recursive: true, force: true });
});

/** Ids of what people said in a topic, from a message on. */
async function idsFrom(anchor: number | 'oldest', topic: string): Promise<readonly number[]> {
  const narrow = [
    { operator: 'channel', operand: channelId },
    { operator: 'topic', operand: topic },
  ];
  const selection = { anchor, num_before: 0, num_after: page - 1, narrow, apply_markdown: false };
  const { messages } = await owner.must('get', 'messages', selection);
  const own = (messages as Reply[]).filter((message) => message['client'] !== 'Internal');
  return own.map((message) => message['id'] as number);
}

/** The same of all of it, page by page. */
async function allIn(topic: string): Promise<readonly number[]> {
  const found: number[] = [];
  for (;;) {
    const last = found.at(-1);
    const next = await idsFrom(last === undefined ? 'oldest' : last + 1, topic);
    if (next.length === 0) return found;
    found.push(...next);
  }
}

describe(`a topic of ${count} messages`, () => {
  it('moves as a whole, and reads like any other', async () => {
    const change = { topic: 'weaving', propagate_mode: 'change_all' };
    await owner.must('patch', `messages/${ids[count / 2]}`, change);
    const moved = await eventually(
      () => allIn('weaving'),
      (found) => found.length >= count,
    );
    expect(moved).toEqual(ids);
    expect(await idsFrom('oldest', 'looms')).toEqual([]);
    const { message } = await owner.must('get', `messages/${ids[0]}`);
    expect(message).toMatchObject({ subject: 'weaving', edit_history: [{ prev_topic: 'looms' }] });
    const { topics } = await owner.must('get', `users/me/${channelId}/topics`);
    expect((topics as Reply[]).map((topic) => topic['name'] as string)).not.toContain('looms');
  });
});
