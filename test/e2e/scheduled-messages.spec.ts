import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiClient, type Answer, type Reply } from '../support/api-client.js';
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
let boId: number;
let channelId: number;

beforeAll(async () => {
  stores = await ServerStores.open();
  directory = await mkdtemp(join(tmpdir(), 'palimpsest-scheduled-'));
  server = await TestServer.start({ stores, directory });
  owner = await server.owner();
  ({ client: ada, id: adaId } = await server.createUser(owner, 'Ada'));
  ({ client: bo, id: boId } = await server.createUser(owner, 'Bo'));
  channelId = await channel('lab');
});

afterAll(async () => {
  await server.stop();
  await stores.close();
  await rm(directory, { recursive: true, force: true });
});

async function channel(name: string): Promise<number> {
  const principals = [adaId, boId];
  return ada.createChannel(name, { principals });
}

const far = 4_000_000_000;

function message(content: string, scheduled_delivery_timestamp = far): Record<string, unknown> {
  return { type: 'channel', to: channelId, topic: 'engines', content, scheduled_delivery_timestamp };
}

async function schedule(parameters: Record<string, unknown>): Promise<number> {
  return (await ada.must('post', 'scheduled_messages', parameters))['scheduled_message_id'] as number;
}

/** Schedules a message that is to be sent in so many seconds. */
async function scheduleSoon(content: string, seconds: number, to = channelId): Promise<number> {
  const ask = (dueAt: number): Promise<Answer> =>
    ada.post('scheduled_messages', { ...message(content, dueAt), to });
  return (await soon(ask, seconds))['scheduled_message_id'] as number;
}

async function waiting(client: ApiClient = ada): Promise<Reply[]> {
  return (await client.must('get', 'scheduled_messages'))['scheduled_messages'] as Reply[];
}

async function sent(content: string): Promise<Reply[]> {
  const page = { anchor: 'newest', num_before: 100, num_after: 0, apply_markdown: false };
  const { messages } = await bo.must('get', 'messages', page);
  return (messages as Reply[]).filter((one) => one['content'] === content);
}

function nothingWaits(): Promise<Reply[]> {
  return eventually(
    () => waiting(),
    (list) => list.length === 0,
  );
}

/** A message that could not be sent. */
interface Failed {
  readonly id: number;
  readonly content: string;
}

/** Schedules a message to a channel that its sender may not send to any more when its time comes: on a busy machine only later ones. */
async function failing(seconds = 2): Promise<Failed> {
  const content = `too late after ${seconds}`;
  const archive = await channel(`archive ${seconds}`);
  const id = await scheduleSoon(content, seconds, archive);
  await owner.must('patch', `streams/${archive}`, {
    can_send_message_group: { new: { direct_members: [], direct_subgroups: [] } },
  });
  const { isSent } = await eventually(
    async () => ({
      hasFailed: (await waiting())[0]?.['failed'] === true,
      isSent: (await sent(content)).length > 0,
    }),
    ({ hasFailed, isSent }) => hasFailed || isSent,
  );
  return isSent ? failing(2 * seconds) : { id, content };
}

function arrives(content: string): Promise<Reply[]> {
  return eventually(
    () => sent(content),
    (messages) => messages.length > 0,
  );
}

describe('scheduled messages', () => {
  it('are listed for their sender alone, the next one first, under the older names of their types', async () => {
    const second = await schedule(message('later **on**', far + 1));
    const first = await schedule({
      type: 'direct',
      to: [boId],
      content: 'later, Bo',
      scheduled_delivery_timestamp: far,
    });
    expect(await waiting()).toEqual([
      {
        scheduled_message_id: first,
        type: 'private',
        to: [boId],
        content: 'later, Bo',
        rendered_content: '<p>later, Bo</p>',
        scheduled_delivery_timestamp: far,
        failed: false,
      },
      {
        scheduled_message_id: second,
        type: 'stream',
        to: channelId,
        topic: 'engines',
        content: 'later **on**',
        rendered_content: '<p>later <strong>on</strong></p>',
        scheduled_delivery_timestamp: far + 1,
        failed: false,
      },
    ]);
    expect(await waiting(bo)).toEqual([]);
    for (const id of [first, second]) await ada.must('delete', `scheduled_messages/${id}`);
    expect(await waiting()).toEqual([]);
  });

  it('can be changed, part by part', async () => {
    const id = await schedule(message('one'));
    const change = async (changes: Record<string, unknown>): Promise<Reply | undefined> => {
      await ada.must('patch', `scheduled_messages/${id}`, changes);
      return (await waiting()).find((one) => one['scheduled_message_id'] === id);
    };
    const other = await channel('attic');
    expect(await change({ content: 'two' })).toMatchObject({
      content: 'two',
      to: channelId,
      topic: 'engines',
    });
    expect(await change({ topic: 'notes' })).toMatchObject({ content: 'two', topic: 'notes' });
    expect(await change({ to: other })).toMatchObject({ to: other, topic: 'notes' });
    expect(await change({ scheduled_delivery_timestamp: far + 9 })).toMatchObject({
      scheduled_delivery_timestamp: far + 9,
      content: 'two',
    });
    expect(await change({ type: 'private', to: [boId] })).toMatchObject({ type: 'private', to: [boId] });
    await ada.must('delete', `scheduled_messages/${id}`);
  });

  it('can be changed by many requests at once, none of which undoes another', async () => {
    const id = await schedule(message('one'));
    const changes = [{ content: 'two' }, { topic: 'notes' }, { scheduled_delivery_timestamp: far + 9 }];
    const answers = await Promise.all(
      [...changes, ...changes].map((change) => ada.patch(`scheduled_messages/${id}`, change)),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200));
    expect(await waiting()).toMatchObject([
      { content: 'two', topic: 'notes', scheduled_delivery_timestamp: far + 9 },
    ]);
    await ada.must('delete', `scheduled_messages/${id}`);
  });

  it.each([
    ['no time', { type: 'channel', to: 1, topic: 't', content: 'x' }, 'REQUEST_VARIABLE_MISSING'],
    [
      'no topic',
      { type: 'channel', to: 1, content: 'x', scheduled_delivery_timestamp: far },
      'REQUEST_VARIABLE_MISSING',
    ],
    ['no recipient', { ...message('x'), to: undefined }, 'REQUEST_VARIABLE_MISSING'],
    ['an unknown channel', { ...message('x'), to: 99_999 }, 'STREAM_DOES_NOT_EXIST'],
    ['an unknown person', { ...message('x'), type: 'direct', to: [99_999] }, 'BAD_REQUEST'],
    ['an unknown type', { ...message('x'), type: 'letter', to: 1 }, 'BAD_REQUEST'],
    ['no text', { ...message(' '), to: [99_999], type: 'direct' }, 'BAD_REQUEST'],
  ])('are refused with %s', async (_what, parameters, code) => {
    const { status, body } = await ada.post('scheduled_messages', parameters);
    expect([status, body.code]).toEqual([400, code]);
    expect(await waiting()).toEqual([]);
  });

  it('are not changed by a request for nothing, nor for a channel without a topic', async () => {
    const id = await schedule(message('x'));
    const nothing = await ada.patch(`scheduled_messages/${id}`, {});
    expect([nothing.status, nothing.body.msg]).toEqual([400, 'Nothing to change']);
    const place = { type: 'stream', to: channelId };
    const { status, body } = await ada.patch(`scheduled_messages/${id}`, place);
    expect([status, body.msg]).toEqual([
      400,
      'Topic required when updating scheduled message type to channel.',
    ]);
    await ada.must('delete', `scheduled_messages/${id}`);
  });

  it('are refused for the past, also when changed', async () => {
    expect((await ada.post('scheduled_messages', message('x', 1000))).body).toMatchObject({
      msg: 'Scheduled delivery time must be in the future.',
      code: 'BAD_REQUEST',
    });
    const id = await schedule(message('x'));
    const { status } = await ada.patch(`scheduled_messages/${id}`, { scheduled_delivery_timestamp: 1000 });
    expect(status).toBe(400);
    expect((await ada.patch(`scheduled_messages/${id}`, { type: 'direct' })).status).toBe(400);
    await ada.must('delete', `scheduled_messages/${id}`);
  });

  it('are not found where they do not exist or are another’s', async () => {
    const id = await schedule(message('mine'));
    const answers = await Promise.all([
      ada.delete('scheduled_messages/99999'),
      ada.patch('scheduled_messages/99999', { content: 'x' }),
      bo.delete(`scheduled_messages/${id}`),
      bo.patch(`scheduled_messages/${id}`, { content: 'x' }),
    ]);
    for (const { status, body } of answers) {
      expect([status, body]).toEqual([
        404,
        { result: 'error', msg: 'Scheduled message does not exist', code: 'BAD_REQUEST' },
      ]);
    }
    await ada.must('delete', `scheduled_messages/${id}`);
  });

  it('are sent in their sender’s name at their time, and are gone from the list', async () => {
    await scheduleSoon('the time has come', 2);
    const [arrived] = await arrives('the time has come');
    expect(arrived).toMatchObject({
      sender_id: adaId,
      stream_id: channelId,
      subject: 'engines',
      client: 'PalimpsestTests',
    });
    await nothingWaits();
  });

  it('that cannot be sent are marked, their sender is told, and a change lets them try again', async () => {
    const { id, content } = await failing();
    expect(await waiting()).toMatchObject([{ scheduled_message_id: id, content, failed: true }]);
    const narrow = [{ operator: 'is', operand: 'dm' }];
    const notices = async (): Promise<Reply[]> =>
      (await ada.must('get', 'messages', { anchor: 'newest', num_before: 10, num_after: 0, narrow }))[
        'messages'
      ] as Reply[];
    const told = await eventually(notices, (list) => list.length > 0);
    expect(told[0]?.['content']).toContain('was not sent');
    expect(await sent(content)).toEqual([]);
    const tryAgain = (scheduled_delivery_timestamp: number): Promise<Answer> =>
      ada.patch(`scheduled_messages/${id}`, { to: channelId, scheduled_delivery_timestamp });
    await soon(tryAgain, 2);
    await arrives(content);
    await nothingWaits();
  });

  it('are sent once also when the server is killed before their time', async () => {
    const texts = ['first', 'second', 'third'];
    await Promise.all(texts.map((text) => scheduleSoon(text, 4)));
    await server.kill();
    server = await TestServer.start({ stores, directory });
    ada = new ApiClient(server.site, ada.credentials);
    bo = new ApiClient(server.site, bo.credentials);
    owner = new ApiClient(server.site, owner.credentials);
    for (const text of texts) await arrives(text);
    // What was sent twice would have been by the time that this is.
    await scheduleSoon('last', 2);
    await arrives('last');
    for (const text of texts) expect(await sent(text)).toHaveLength(1);
  });
});
