import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiClient, type Reply } from '../support/api-client.js';
import { eventually } from '../support/eventually.js';
import { ServerStores } from '../support/server-stores.js';
import { TestServer } from '../support/server.js';
import { soon } from '../support/soon.js';

let stores: ServerStores;
let directory: string;
let server: TestServer;
let owner: ApiClient;
let ada: ApiClient;
let adaId: number;
let bo: ApiClient;
let channelId: number;

beforeAll(async () => {
  stores = await ServerStores.open();
  directory = await mkdtemp(join(tmpdir(), 'palimpsest-reminders-'));
  server = await TestServer.start({ stores, directory });
  owner = await server.owner();
  ({ client: ada, id: adaId } = await server.createUser(owner, 'Ada'));
  ({ client: bo } = await server.createUser(owner, 'Bo'));
  channelId = await ada.createChannel('lab', { invite_only: true });
});

afterAll(async () => {
  await server.stop();
  await stores.close();
  await rm(directory, { recursive: true, force: true });
});

async function send(content: string): Promise<number> {
  const message = { type: 'channel', to: channelId, topic: 'engines', content };
  return (await ada.must('post', 'messages', message))['id'] as number;
}

const inSeconds = (count: number): number => Math.ceil(Date.now() / 1000) + count;

async function remind(message_id: number, dueAt: number, note?: string): Promise<number> {
  const request = { message_id, scheduled_delivery_timestamp: dueAt, note };
  return (await ada.must('post', 'reminders', request))['reminder_id'] as number;
}

/** Asks for a reminder that is to be said in a second. */
async function remindSoon(message_id: number, note?: string): Promise<void> {
  await soon((dueAt) => ada.post('reminders', { message_id, scheduled_delivery_timestamp: dueAt, note }));
}

async function awaited(client: ApiClient = ada): Promise<Reply[]> {
  return (await client.must('get', 'reminders'))['reminders'] as Reply[];
}

/** What the notification bot said to Ada directly about a message. */
async function said(about: number, client: ApiClient = ada): Promise<Reply[]> {
  const narrow = [{ operator: 'is', operand: 'dm' }];
  const page = { anchor: 'newest', num_before: 100, num_after: 0, narrow, apply_markdown: false };
  const { messages } = await client.must('get', 'messages', page);
  return (messages as Reply[]).filter((message) => String(message['content']).includes(`@${about}**`));
}

describe('reminders', () => {
  it('are listed for the one who asked, and for nobody else', async () => {
    const id = await send('remember *this*');
    const dueAt = inSeconds(10_000);
    const reminder = await remind(id, dueAt, 'before lunch');
    expect(await awaited()).toEqual([
      {
        reminder_id: reminder,
        type: 'private',
        to: [adaId],
        content: expect.stringContaining('before lunch'),
        rendered_content: expect.stringContaining('<em>this</em>'),
        scheduled_delivery_timestamp: dueAt,
        failed: false,
        reminder_target_message_id: id,
      },
    ]);
    expect(await awaited(bo)).toEqual([]);
    expect((await bo.delete(`reminders/${reminder}`)).status).toBe(404);
    await ada.must('delete', `reminders/${reminder}`);
    expect(await awaited()).toEqual([]);
    const { status, body } = await ada.delete(`reminders/${reminder}`);
    expect([status, body.code]).toEqual([404, 'BAD_REQUEST']);
  });

  it.each([
    ['no message', { scheduled_delivery_timestamp: 4_000_000_000 }, 'REQUEST_VARIABLE_MISSING'],
    ['no time', { message_id: 1 }, 'REQUEST_VARIABLE_MISSING'],
    [
      'an unknown message',
      { message_id: 99_999, scheduled_delivery_timestamp: 4_000_000_000 },
      'BAD_REQUEST',
    ],
  ])('are refused for %s', async (_what, parameters, code) => {
    const { status, body } = await ada.post('reminders', parameters);
    expect([status, body.code]).toEqual([400, code]);
  });

  it('are refused for the past, for long notes, and for messages out of reach', async () => {
    const message_id = await send('secret');
    const later = inSeconds(10_000);
    const answers = await Promise.all([
      ada.post('reminders', { message_id, scheduled_delivery_timestamp: 1000 }),
      ada.post('reminders', { message_id, scheduled_delivery_timestamp: later, note: 'x'.repeat(501) }),
      bo.post('reminders', { message_id, scheduled_delivery_timestamp: later }),
    ]);
    expect(answers.map(({ status, body }) => [status, body.code])).toEqual(
      answers.map(() => [400, 'BAD_REQUEST']),
    );
    expect(await awaited()).toEqual([]);
  });

  it('are said once at their time, and quote what has been deleted since', async () => {
    const id = await send('soon gone');
    await remindSoon(id, 'ask Bo');
    await ada.must('delete', `messages/${id}`);
    const [message] = await eventually(
      () => said(id),
      (messages) => messages.length > 0,
    );
    expect(message).toMatchObject({
      sender_email: expect.stringMatching(/^notification-bot/),
      type: 'private',
    });
    expect(message?.['content']).toContain('> ask Bo');
    expect(message?.['content']).toContain('```quote\nsoon gone\n```');
    await eventually(awaited, (reminders) => reminders.length === 0);
    expect(await said(id, bo)).toEqual([]);
  });

  it('are said once also when the server is killed before their time', async () => {
    const ids = [await send('one'), await send('two'), await send('three')];
    for (const id of ids) await remindSoon(id);
    await server.kill();
    server = await TestServer.start({ stores, directory });
    ada = new ApiClient(server.site, ada.credentials);
    for (const id of ids) {
      await eventually(
        () => said(id),
        (messages) => messages.length > 0,
      );
    }
    // What is said later than these would come before the next reminder.
    const last = await send('last');
    await remindSoon(last);
    await eventually(
      () => said(last),
      (messages) => messages.length > 0,
    );
    for (const id of ids) expect(await said(id)).toHaveLength(1);
  });
});
