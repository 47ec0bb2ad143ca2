import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Answer, ApiClient, Reply } from '../support/api-client.js';
import { sendEarlier, type OlderMessage } from '../support/older-messages.js';
import { ServerStores } from '../support/server-stores.js';
import { TestServer } from '../support/server.js';

// The server starts twice.
let stores: ServerStores;
let directory: string;
let server: TestServer;
let owner: ApiClient;
let ada: ApiClient;
let bo: ApiClient;
let moderator: ApiClient;
let boId: number;
let lab: number;
let attic: number;
/** Ids of messages of Ada's by the topic in `lab` that they were sent to, rising. */
const topics: Record<string, number[]> = {};

const day = 86_400;
/** Seconds that the messages of each topic are old. The usual limit of moves is a week. */
const ages: Readonly<Record<string, readonly number[]>> = {
  partly: [9 * day, 8 * day, 2 * day, day],
  wholly: [9 * day, 8 * day],
  none: [2 * day, day],
  old: [9 * day],
  'another old': [9 * day],
  'still old': [9 * day],
  edited: [700, 300],
  deleted: [700, 300],
};

beforeAll(async () => {
  stores = await ServerStores.open();
  directory = await mkdtemp(join(tmpdir(), 'palimpsest-limits-'));
  server = await TestServer.start({ stores, directory });
  owner = await server.owner();
  const accounts = [
    await server.createUser(owner, 'Ada'),
    await server.createUser(owner, 'Bo'),
    await server.createUser(owner, 'Mo'),
  ] as const;
  await owner.must('patch', `users/${accounts[2].id}`, { role: 300 });
  const principals = accounts.map(({ id }) => id);
  const channels: number[] = [];
  for (const name of ['lab', 'attic']) {
    channels.push(await owner.createChannel(name, { principals }));
  }
  [lab, attic] = channels as [number, number];
  const senderId = accounts[0].id;
  await server.stop();
  const older = Object.entries(ages).flatMap(([topic, all]) =>
    all.map((age): OlderMessage => ({
      senderId,
      recipient: { type: 'channel', channelId: lab, topic },
      age,
    })),
  );
  const ids = await sendEarlier(directory, stores, older);
  older.forEach(({ recipient }, index) => {
    const topic = 'topic' in recipient ? recipient.topic : '';
    (topics[topic] ??= []).push(ids[index]!);
  });
  server = await TestServer.start({ stores, directory });
  await server.ready();
  [owner, ada, bo, moderator] = [
    owner.at(server.site),
    ...accounts.map(({ client }) => client.at(server.site)),
  ] as [ApiClient, ApiClient, ApiClient, ApiClient];
  boId = accounts[1].id;
});

afterAll(async () => {
  await server.stop();
  await stores.close();
  await rm(directory, { recursive: true, force: true });
});

let undo: Readonly<Record<string, unknown>> = {};

/** Changes settings of the organization until the end of the test. */
async function set(
  changes: Readonly<Record<string, unknown>>,
  before: Readonly<Record<string, unknown>>,
): Promise<void> {
  undo = { ...undo, ...before };
  await owner.must('patch', 'realm', changes);
}

afterEach(async () => {
  if (Object.keys(undo).length > 0) await owner.must('patch', 'realm', undo);
  undo = {};
});

async function send(content: string, { client = ada, topic = 'fresh', to = lab } = {}): Promise<Answer> {
  return client.post('messages', { type: 'channel', to, topic, content });
}

function refusal({ status, body }: Answer): readonly [number, string | undefined] {
  return [status, body.code];
}

const refused = [400, 'BAD_REQUEST'];
const all = { propagate_mode: 'change_all', send_notification_to_new_thread: false };

async function subjectOf(id: number): Promise<unknown> {
  return ((await owner.must('get', `messages/${id}`))['message'] as Reply)['subject'];
}

describe('the time limit of moves', () => {
  it('tells how much of a topic may still be moved', async () => {
    const [oldest, , third] = topics['partly']!;
    for (const target of [oldest, third]) {
      for (const move of [{ topic: 'weaving' }, { stream_id: attic }]) {
        const { status, body } = await bo.patch(`messages/${target}`, { ...move, ...all });
        expect([status, body]).toEqual([
          400,
          {
            result: 'error',
            msg: expect.any(String),
            code: 'MOVE_MESSAGES_TIME_LIMIT_EXCEEDED',
            first_message_id_allowed_to_move: third,
            total_messages_in_topic: 4,
            total_messages_allowed_to_move: 2,
          },
        ]);
      }
    }
    const retried = { topic: 'weaving', ...all, propagate_mode: 'change_later' };
    await bo.must('patch', `messages/${third}`, retried);
    expect([await subjectOf(oldest!), await subjectOf(third!)]).toEqual(['partly', 'weaving']);
  });

  it('refuses a topic that is all too old, and passes one that is not', async () => {
    expect(refusal(await bo.patch(`messages/${topics['wholly']![0]}`, { topic: 'a', ...all }))).toEqual(
      refused,
    );
    await bo.must('patch', `messages/${topics['none']![0]}`, { topic: 'a', ...all });
  });

  it('refuses an old message, its sender as well, and not for moderators nor for marks', async () => {
    const [id] = topics['old']!;
    for (const change of [{ topic: 'b' }, { stream_id: attic }, { topic: 'b', stream_id: attic }]) {
      expect(refusal(await ada.patch(`messages/${id}`, change))).toEqual(refused);
    }
    await bo.must('patch', `messages/${id}`, { topic: '✔ old', ...all });
    await moderator.must('patch', `messages/${id}`, { topic: 'b', ...all });
    await moderator.must('patch', `messages/${id}`, { stream_id: attic, ...all });
    expect(await subjectOf(id!)).toBe('b');
  });

  it('is another for moves between channels, and the stricter one holds for both', async () => {
    const [id] = topics['another old']!;
    const [within, between] = [
      'move_messages_within_stream_limit_seconds',
      'move_messages_between_streams_limit_seconds',
    ];
    await set({ [between]: 10 * day }, { [between]: 7 * day });
    expect(refusal(await bo.patch(`messages/${id}`, { topic: 'c' }))).toEqual(refused);
    expect(refusal(await bo.patch(`messages/${id}`, { topic: 'c', stream_id: attic, ...all }))).toEqual(
      refused,
    );
    await bo.must('patch', `messages/${id}`, { stream_id: attic, ...all });
    await set({ [within]: 'unlimited' }, { [within]: 7 * day });
    await bo.must('patch', `messages/${id}`, { topic: 'c' });
    expect(await subjectOf(id!)).toBe('c');
  });
});

describe('the time limit of edits', () => {
  it('applies to the text of a message, for every author', async () => {
    const [old, recent] = topics['edited']!;
    expect(refusal(await ada.patch(`messages/${old}`, { content: 'y' }))).toEqual(refused);
    await ada.must('patch', `messages/${recent}`, { content: 'y' });
    const limit = 'message_content_edit_limit_seconds';
    await set({ [limit]: 'unlimited' }, { [limit]: 600 });
    await ada.must('patch', `messages/${old}`, { content: 'y' });
    expect(refusal(await moderator.patch(`messages/${old}`, { content: 'z' }))).toEqual(refused);
  });

  it('does not keep anyone from moving what can no longer be edited', async () => {
    await set({ allow_message_editing: false }, { allow_message_editing: true });
    const [, recent] = topics['edited']!;
    expect(refusal(await ada.patch(`messages/${recent}`, { content: 'z' }))).toEqual(refused);
    expect(refusal(await ada.patch(`messages/${recent}`, { content: 'z', topic: 'd' }))).toEqual(refused);
    await ada.must('patch', `messages/${recent}`, { topic: 'd' });
    expect(await subjectOf(recent!)).toBe('d');
  });
});

describe('the time limit of deletions', () => {
  it('is for one’s own messages', async () => {
    const [old, recent] = topics['deleted']!;
    expect(refusal(await ada.delete(`messages/${old}`))).toEqual(refused);
    expect(refusal(await bo.delete(`messages/${recent}`))).toEqual(refused);
    await ada.must('delete', `messages/${recent}`);
    expect(refusal(await ada.delete(`messages/${recent}`))).toEqual(refused);
    await owner.must('delete', `messages/${old}`);
  });

  it('can be lifted, and so can the right itself', async () => {
    const [old] = topics['still old']!;
    const limit = 'message_content_delete_limit_seconds';
    const right = 'can_delete_own_message_group';
    const nobody = { new: 8 };
    await set({ [limit]: 'unlimited', [right]: nobody }, { [limit]: 600, [right]: { new: 2 } });
    expect(refusal(await ada.delete(`messages/${old}`))).toEqual(refused);
    await owner.must('patch', 'realm', { [right]: { new: 2 } });
    await ada.must('delete', `messages/${old}`);
  });

  it('is not for those whom organization or channel let delete anything', async () => {
    const [id] = topics['wholly']!;
    const [another] = topics['partly']!;
    const bosGroup = { direct_members: [boId], direct_subgroups: [] };
    await owner.must('patch', `streams/${lab}`, { can_delete_any_message_group: { new: bosGroup } });
    await bo.must('delete', `messages/${id}`);
    await owner.must('patch', `streams/${lab}`, { can_delete_any_message_group: { new: 8 } });
    expect(refusal(await bo.delete(`messages/${another}`))).toEqual(refused);
    const right = 'can_delete_any_message_group';
    await set({ [right]: { new: bosGroup } }, { [right]: { new: 6 } });
    await bo.must('delete', `messages/${another}`);
  });
});

describe('rights to move', () => {
  it.each([
    ['can_move_messages_between_topics_group', { topic: 'e' }, { new: 2 }],
    ['can_resolve_topics_group', { topic: '✔ rights', propagate_mode: 'change_all' }, { new: 2 }],
    ['can_move_messages_between_channels_group', { stream_id: 'attic' }, { new: 3 }],
  ])('are those of %s', async (permission, change, usual) => {
    const { body } = await send('x', { topic: 'rights' });
    const wanted = 'stream_id' in change ? { stream_id: attic } : change;
    await set({ [permission]: { new: 8 } }, { [permission]: usual });
    expect(refusal(await bo.patch(`messages/${body['id']}`, wanted))).toEqual(refused);
    await owner.must('patch', 'realm', { [permission]: usual });
    await bo.must('patch', `messages/${body['id']}`, wanted);
  });
});

describe('the edit history', () => {
  it('is shown as far as the organization wants it', async () => {
    const { body } = await send('first', { topic: 'history' });
    const id = body['id'] as number;
    await ada.must('patch', `messages/${id}`, { content: 'second' });
    await ada.must('patch', `messages/${id}`, { content: 'third', topic: 'history 2' });
    const shown = async (): Promise<unknown> => {
      const { message } = await bo.must('get', `messages/${id}`);
      const history = await bo.get(`messages/${id}/history`);
      const versions = history.body['message_history'] as Reply[] | undefined;
      return [
        ((message as Reply)['edit_history'] as Reply[] | undefined)?.map((entry) =>
          Object.keys(entry).sort(),
        ),
        versions?.map((version) => [version['content'], version['prev_content'], version['topic']]) ??
          refusal(history),
      ];
    };
    const who = ['timestamp', 'user_id'];
    const [text, move] = [
      ['prev_content', 'prev_rendered_content'],
      ['prev_topic', 'topic'],
    ];
    expect(await shown()).toEqual([
      [[...text, ...move, ...who].sort(), [...text, ...who].sort()],
      [
        ['first', undefined, 'history'],
        ['second', 'first', 'history'],
        ['third', 'second', 'history 2'],
      ],
    ]);
    const policy = 'message_edit_history_visibility_policy';
    await set({ [policy]: 'moves' }, { [policy]: 'all' });
    expect(await shown()).toEqual([
      [[...move, ...who].sort()],
      [
        ['third', undefined, 'history'],
        ['third', undefined, 'history 2'],
      ],
    ]);
    await set({ [policy]: 'none' }, { [policy]: 'all' });
    expect(await shown()).toEqual([undefined, refused]);
  });
});

describe('read receipts', () => {
  it('are given where the organization wants them, of those who give theirs', async () => {
    const { body } = await send('x', { topic: 'receipts' });
    const id = body['id'] as number;
    const readers = (): Promise<Answer> => ada.get(`messages/${id}/read_receipts`);
    expect(refusal(await readers())).toEqual(refused);
    await set({ enable_read_receipts: true }, { enable_read_receipts: false });
    expect((await readers()).body['user_ids']).toEqual([]);
    await bo.must('post', 'messages/flags', { messages: [id], op: 'add', flag: 'read' });
    expect((await readers()).body['user_ids']).toEqual([boId]);
    await bo.must('patch', 'settings', { send_read_receipts: false });
    expect((await readers()).body['user_ids']).toEqual([]);
    await bo.must('patch', 'settings', { send_read_receipts: true });
    expect(refusal(await ada.get('messages/999999/read_receipts'))).toEqual(refused);
  });
});

describe('topics', () => {
  it('are required where the organization says so, unless the channel says otherwise', async () => {
    await set({ topics_policy: 'disable_empty_topic' }, { topics_policy: 'allow_empty_topic' });
    const { body } = await send('x', { topic: 'f' });
    for (const topic of ['', '(no topic)', 'general chat']) {
      expect(refusal(await send('x', { topic }))).toEqual(refused);
      expect(refusal(await ada.patch(`messages/${body['id']}`, { topic }))).toEqual(refused);
    }
    await owner.must('patch', `streams/${lab}`, { topics_policy: 'allow_empty_topic' });
    await ada.must('patch', `messages/${body['id']}`, { topic: '' });
    await owner.must('patch', `streams/${lab}`, { topics_policy: 'inherit' });
  });
});

describe('mentions of everyone', () => {
  const many = 16;

  beforeAll(async () => {
    const principals: number[] = [];
    for (let index = 0; index < many; index += 1) {
      const { id, client } = await server.createUser(owner, `Reader ${index}`);
      principals.push(id);
      await owner.must('post', 'users/me/subscriptions', {
        subscriptions: [{ name: 'lab' }],
        principals: [id],
      });
      await client.must('post', 'messages', { type: 'channel', to: lab, topic: 'crowd', content: 'x' });
    }
  });

  it.each([
    ['@**all**', 'fresh', 'STREAM_WILDCARD_MENTION_NOT_ALLOWED'],
    ['@**topic**', 'crowd', 'TOPIC_WILDCARD_MENTION_NOT_ALLOWED'],
  ])('by %s are for those who may, in sending and in editing', async (mention, topic, code) => {
    expect(refusal(await send(mention, { topic }))).toEqual([400, code]);
    const { body } = await send('x', { topic });
    expect(refusal(await ada.patch(`messages/${body['id']}`, { content: mention }))).toEqual([400, code]);
    const old = topics['edited']![0];
    expect(refusal(await ada.patch(`messages/${old}`, { content: mention }))).toEqual(refused);
    const right = 'can_mention_many_users_group';
    await set({ [right]: { new: 2 } }, { [right]: { new: 6 } });
    await ada.must('patch', `messages/${body['id']}`, { content: mention });
    expect((await send(mention, { topic })).status).toBe(200);
  });

  it('are refused after the topic and before the rest of a move', async () => {
    const { body } = await send('x', { topic: 'order' });
    const change = { content: '@**all**', topic: 'elsewhere' };
    const code = [400, 'STREAM_WILDCARD_MENTION_NOT_ALLOWED'];
    expect(refusal(await ada.patch(`messages/${body['id']}`, change))).toEqual(code);
    const creating = 'can_create_topic_group';
    await owner.must('patch', `streams/${lab}`, { [creating]: { new: 6 } });
    expect(refusal(await ada.patch(`messages/${body['id']}`, change))).toEqual(code);
    await owner.must('patch', `streams/${lab}`, { [creating]: { new: 2 } });
    const topics = 'can_move_messages_between_topics_group';
    await set({ [topics]: { new: 8 } }, { [topics]: { new: 2 } });
    expect(refusal(await ada.patch(`messages/${body['id']}`, change))).toEqual(refused);
  });

  it('reach nobody in small channels', async () => {
    expect((await send('@**all**', { to: attic })).status).toBe(200);
  });
});

describe('what the client believes the text to be', () => {
  it('is a mismatch also where it is no digest', async () => {
    const { body } = await send('x');
    const change = { content: 'y', prev_content_sha256: 'not a digest' };
    const answer = await ada.patch(`messages/${body['id']}`, change);
    expect([refusal(answer), answer.body['field_name']]).toEqual([
      [400, 'EXPECTATION_MISMATCH'],
      'prev_content_sha256',
    ]);
  });
});
