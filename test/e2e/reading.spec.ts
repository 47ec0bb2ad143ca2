import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ApiClient, Reply } from '../support/api-client.js';
import { TestServer } from '../support/server.js';

const infinity = 10_000_000_000_000_000;

let server: TestServer;
let owner: ApiClient;
let ada: ApiClient;
let bo: ApiClient;
let gil: ApiClient;
let adaId: number;
let boId: number;
let gilId: number;
/** A public channel of Ada and Bo. */
let open: number;
/** A private channel of Ada, whose past newcomers may read. */
let shared: number;
/** A private channel of Ada, whose past newcomers may not read. */
let guarded: number;
/** Ids of messages by their content. */
const ids = new Map<string, number>();

beforeAll(async () => {
  server = await TestServer.start();
  owner = await server.owner();
  ({ client: ada, id: adaId } = await server.createUser(owner, 'Ada'));
  ({ client: bo, id: boId } = await server.createUser(owner, 'Bo'));
  ({ client: gil, id: gilId } = await server.createUser(owner, 'Gil'));
  await owner.must('patch', `users/${gilId}`, { role: 600 });
  open = await channel('open', {}, [adaId, boId]);
  shared = await channel('shared', { invite_only: true, history_public_to_subscribers: true });
  guarded = await channel('guarded', { invite_only: true, history_public_to_subscribers: false });
  for (const content of ['o1', 'o2', 'o3', 'o4', 'o5']) await send(ada, open, content);
  await send(ada, { to: open, topic: '✔ done' }, 'other topic');
  await send(bo, { to: open, topic: 'links' }, 'see https://example.com');
  await send(ada, shared, 's1');
  await send(ada, guarded, 'g1');
  await direct(ada, [boId], 'ab');
  await direct(ada, [boId, gilId], 'abg');
  await direct(ada, [adaId], 'aa');
});

afterAll(async () => {
  await server.stop();
});

async function channel(
  name: string,
  settings: object,
  principals: readonly number[] = [adaId],
): Promise<number> {
  return ada.createChannel(name, { principals, ...settings });
}

async function send(
  client: ApiClient,
  to: number | { readonly to: number; readonly topic: string },
  content: string,
): Promise<number> {
  const place = typeof to === 'number' ? { to, topic: 'main' } : to;
  const { id } = await client.must('post', 'messages', { type: 'channel', ...place, content });
  ids.set(content, id as number);
  return id as number;
}

async function direct(client: ApiClient, to: readonly number[], content: string): Promise<number> {
  const { id } = await client.must('post', 'messages', { type: 'direct', to, content });
  ids.set(content, id as number);
  return id as number;
}

function idOf(content: string): number {
  const id = ids.get(content);
  if (id === undefined) throw new Error(`Nobody said ${content}`);
  return id;
}

function byPeople(messages: readonly Reply[]): Reply[] {
  return messages.filter((message) => message['client'] !== 'Internal');
}

/** What somebody reads with a narrow, in order. */
async function narrowed(client: ApiClient, ...narrow: readonly unknown[]): Promise<string[]> {
  const page = { anchor: 'newest', num_before: 1000, num_after: 0, apply_markdown: false, narrow };
  const { messages } = await client.must('get', 'messages', page);
  return byPeople(messages as Reply[]).map((message) => message['content'] as string);
}

const main = [
  ['channel', 'open'],
  ['topic', 'main'],
];

async function page(parameters: object): Promise<readonly [string[], Reply]> {
  const body = await ada.must('get', 'messages', { narrow: main, apply_markdown: false, ...parameters });
  return [(body['messages'] as Reply[]).map((message) => message['content'] as string), body];
}

describe('a page of messages', () => {
  it('ends at the newest', async () => {
    const [contents, body] = await page({ anchor: 'newest', num_before: 2, num_after: 0 });
    expect(contents).toEqual(['o4', 'o5']);
    expect(body).toMatchObject({
      anchor: infinity,
      found_anchor: false,
      found_newest: true,
      found_oldest: false,
      history_limited: false,
    });
  });

  it('begins at the oldest', async () => {
    const [contents, body] = await page({ anchor: 'oldest', num_before: 0, num_after: 2 });
    expect(contents).toEqual(['o1', 'o2']);
    expect(body).toMatchObject({ anchor: 0, found_anchor: false, found_newest: false, found_oldest: true });
  });

  it('lies around a message', async () => {
    const [contents, body] = await page({ anchor: idOf('o3'), num_before: 1, num_after: 1 });
    expect(contents).toEqual(['o2', 'o3', 'o4']);
    expect(body).toMatchObject({
      anchor: idOf('o3'),
      found_anchor: true,
      found_newest: false,
      found_oldest: false,
    });
  });

  it('is not known to be the last when it has exactly the requested number of messages', async () => {
    const [, exact] = await page({ anchor: idOf('o3'), num_before: 2, num_after: 2 });
    expect(exact).toMatchObject({ found_oldest: false, found_newest: false });
    const [, more] = await page({ anchor: idOf('o3'), num_before: 3, num_after: 3 });
    expect(more).toMatchObject({ found_oldest: true, found_newest: true });
  });

  it('leaves the anchor out on request, at one end only', async () => {
    const [contents] = await page({ anchor: idOf('o3'), num_before: 0, num_after: 2, include_anchor: false });
    expect(contents).toEqual(['o4', 'o5']);
    const both = { narrow: main, anchor: idOf('o3'), num_before: 1, num_after: 1, include_anchor: false };
    expect((await ada.get('messages', both)).status).toBe(400);
  });

  it('is the anchor alone when nothing around it is asked for', async () => {
    const [contents] = await page({ anchor: idOf('o3'), num_before: 0, num_after: 0 });
    expect(contents).toEqual(['o3']);
  });

  it('takes any number as an anchor', async () => {
    expect((await page({ anchor: -5, num_before: 0, num_after: 1 }))[1]['anchor']).toBe(0);
    expect((await page({ anchor: '20000000000000000', num_before: 1, num_after: 0 }))[1]['anchor']).toBe(
      infinity,
    );
  });

  it('lies at the first message on or after a date, else at the newest', async () => {
    const from = async (date: string): Promise<unknown> =>
      (await page({ anchor: 'date', anchor_date: date, num_before: 0, num_after: 0 }))[0];
    expect(await from('2020-01-01')).toEqual(['o1']);
    expect(await from('2020-01-01T12:00:00+02:00')).toEqual(['o1']);
    expect(await from('2999-01-01T00:00')).toEqual(['o5']);
    expect(await from('20200101')).toEqual(['o1']);
  });

  it('finds nothing by date where nothing is', async () => {
    const nowhere = {
      narrow: [['topic', 'silence']],
      anchor: 'date',
      anchor_date: '2020-01-01',
      num_before: 1,
      num_after: 1,
    };
    expect((await page(nowhere))[1]).toMatchObject({
      messages: [],
      anchor: infinity,
      found_anchor: false,
      found_oldest: false,
      found_newest: false,
    });
  });

  it.each([
    ['nothing', {}, 'REQUEST_VARIABLE_MISSING'],
    ['no anchor', { num_before: 1, num_after: 0 }, 'BAD_REQUEST'],
    ['no num_before', { anchor: 'newest', num_after: 0 }, 'REQUEST_VARIABLE_MISSING'],
    ['no num_after', { anchor: 'newest', num_before: 0 }, 'REQUEST_VARIABLE_MISSING'],
    ['no date for the anchor', { anchor: 'date', num_before: 1, num_after: 0 }, 'BAD_REQUEST'],
    [
      'a date that is none',
      { anchor: 'date', anchor_date: 'soon', num_before: 1, num_after: 0 },
      'BAD_REQUEST',
    ],
    [
      'a date that no calendar has',
      { anchor: 'date', anchor_date: '2026-02-30', num_before: 1, num_after: 0 },
      'BAD_REQUEST',
    ],
    ['an anchor that is none', { anchor: 'middle', num_before: 1, num_after: 0 }, 'BAD_REQUEST'],
    ['more than 5000 messages', { anchor: 'newest', num_before: 5000, num_after: 1 }, 'BAD_REQUEST'],
    ['less than none', { anchor: 'newest', num_before: -1, num_after: 1 }, 'BAD_REQUEST'],
    [
      'a narrow that is no list',
      { anchor: 'newest', num_before: 1, num_after: 0, narrow: {} },
      'BAD_REQUEST',
    ],
    ['ids and an anchor', { message_ids: [1], anchor: 'newest' }, 'BAD_REQUEST'],
    ['ids and a count', { message_ids: [1], num_before: 1 }, 'BAD_REQUEST'],
    ['ids and the flag of the anchor', { message_ids: [1], include_anchor: true }, 'BAD_REQUEST'],
    ['more than 5000 ids', { message_ids: Array.from({ length: 5001 }, (_, id) => id) }, 'BAD_REQUEST'],
  ])('is refused with %s', async (_what, parameters, code) => {
    // As a POST that means GET: a list of thousands of ids does not fit into an address.
    const { status, body } = await ada.post('messages', { ...parameters, method: 'GET' });
    expect([status, body.code]).toEqual([400, code]);
  });

  it('names all parameters that exclude each other, whichever were sent', async () => {
    const { body } = await ada.get('messages', { message_ids: [1], anchor: 'newest', num_before: 1 });
    expect(body['parameters']).toBe(
      'num_before, num_after, anchor, message_ids, include_anchor, use_first_unread_anchor',
    );
  });

  it('gives messages by their ids, as far as they are accessible', async () => {
    const wanted = [idOf('o2'), idOf('g1'), 9_999_999, idOf('o1'), idOf('ab')];
    const body = await bo.must('get', 'messages', {
      message_ids: wanted,
      apply_markdown: false,
      num_before: 0,
      num_after: 0,
    });
    expect((body['messages'] as Reply[]).map((message) => message['content'])).toEqual(['o1', 'o2', 'ab']);
    expect(body).not.toHaveProperty('anchor');
    expect(body).toMatchObject({ found_anchor: false, found_oldest: false, found_newest: false });
    const narrow = [['channel', 'open']];
    const within = await bo.must('get', 'messages', { message_ids: wanted, narrow, apply_markdown: false });
    expect((within['messages'] as Reply[]).map((message) => message['content'])).toEqual(['o1', 'o2']);
  });

  it('gives messages by their ids also where they did not reach the one who asks', async () => {
    const { client } = await server.createUser(owner, 'Onlooker');
    const wanted = [idOf('o1'), idOf('see https://example.com'), idOf('s1'), idOf('ab')];
    const within = async (...narrow: readonly unknown[]): Promise<unknown[]> => {
      const parameters = { message_ids: wanted, narrow, apply_markdown: false };
      const { messages } = await client.must('get', 'messages', parameters);
      return (messages as Reply[]).map((message) => message['content']);
    };
    expect(await within()).toEqual(['o1', 'see https://example.com']);
    expect(await within(['sender', 'ada@example.com'])).toEqual(['o1']);
    expect(await within(['topic', 'LINKS'])).toEqual(['see https://example.com']);
    expect(await within(['channel', 'open'])).toEqual(['o1', 'see https://example.com']);
    expect(await within(['channel', 'shared'])).toEqual([]);
    expect(await within(['channel', 'open'], ['channel', 'shared'])).toEqual([]);
    expect(await within({ operator: 'is', operand: 'unread', negated: true })).toEqual([]);
    const { messages } = await client.must('get', 'messages/matches_narrow', {
      msg_ids: wanted,
      narrow: [['sender', 'ada@example.com']],
    });
    expect(messages).toEqual({});
  });

  it('shows the empty topic by its display name to those who do not know it', async () => {
    const id = await send(ada, { to: open, topic: '' }, 'without a topic');
    const subject = async (allow: boolean): Promise<unknown> => {
      const parameters = { message_ids: [id], allow_empty_topic_name: allow };
      return ((await ada.must('get', 'messages', parameters))['messages'] as Reply[])[0]?.['subject'];
    };
    expect([await subject(false), await subject(true)]).toEqual(['general chat', '']);
    expect(await narrowed(ada, ['channel', 'open'], ['topic', 'general chat'])).toEqual(['without a topic']);
    await ada.must('delete', `messages/${id}`);
  });

  it('gives avatars to clients that do not compute them', async () => {
    const body = await ada.must('get', 'messages', { message_ids: [idOf('o1')], client_gravatar: false });
    expect((body['messages'] as Reply[])[0]?.['avatar_url']).toMatch(/^https:\/\//);
  });
});

describe('a narrow', () => {
  it.each([
    [
      'a channel by name',
      [
        ['channel', 'OPEN'],
        ['topic', 'main'],
      ],
      ['o1', 'o2', 'o3', 'o4', 'o5'],
    ],
    [
      'its older name',
      [{ operator: 'stream', operand: 'open' }, ['topic', 'MAIN']],
      ['o1', 'o2', 'o3', 'o4', 'o5'],
    ],
    ['a topic in any channel', [['topic', 'links']], ['see https://example.com']],
    [
      'all but a topic',
      [['channel', 'open'], { operator: 'topic', operand: 'main', negated: true }],
      ['other topic', 'see https://example.com'],
    ],
    [
      'a sender',
      [
        ['channel', 'open'],
        ['sender', 'bo@example.com'],
      ],
      ['see https://example.com'],
    ],
    [
      'all but a sender',
      [['topic', 'links'], { operator: 'sender', operand: 'bo@example.com', negated: true }],
      [],
    ],
    ['links', [['has', 'link']], ['see https://example.com']],
    ['images', [['has', 'image']], []],
    ['a topic that no topic may be named', [['topic', 'main\nmain']], []],
    [
      'all but such a topic',
      [['channel', 'shared'], { operator: 'topic', operand: 'main\nmain', negated: true }],
      ['s1'],
    ],
    ['resolved topics', [['is', 'resolved']], ['other topic']],
    ['direct messages', [['is', 'dm']], ['ab', 'abg', 'aa']],
    ['their older name', [['is', 'private']], ['ab', 'abg', 'aa']],
    [
      'all but direct messages',
      [{ operator: 'is', operand: 'dm', negated: true }, ['sender', 'ada@example.com'], ['topic', 'main']],
      ['o1', 'o2', 'o3', 'o4', 'o5', 's1', 'g1'],
    ],
    ['one conversation', [['dm', 'bo@example.com']], ['ab']],
    ['a conversation of several', [['pm-with', 'bo@example.com, gil@example.com']], ['abg']],
    ['notes to oneself', [['dm', 'ada@example.com']], ['aa']],
    ['conversations with somebody', [['dm-including', 'gil@example.com']], ['abg']],
    ['all conversations', [['dm-including', 'ada@example.com']], ['ab', 'abg', 'aa']],
    ['group conversations', [['group-pm-with', 'bo@example.com']], ['abg']],
    ['their other name', [['group_pm_with', 'bo@example.com, gil@example.com']], ['abg']],
    [
      'near, which changes nothing',
      [
        ['topic', 'links'],
        ['near', '1'],
      ],
      ['see https://example.com'],
    ],
    [
      'two channels at once',
      [
        ['channel', 'open'],
        ['channel', 'shared'],
      ],
      [],
    ],
    [
      'public channels',
      [
        ['channels', 'public'],
        ['sender', 'bo@example.com'],
      ],
      ['see https://example.com'],
    ],
  ])('finds %s', async (_what, narrow, expected) => {
    expect(await narrowed(ada, ...narrow)).toEqual(expected);
  });

  it('finds a channel, a person and a message by id', async () => {
    expect(await narrowed(ada, { operator: 'channel', operand: shared })).toEqual(['s1']);
    expect(await narrowed(ada, { operator: 'dm', operand: [boId, gilId] })).toEqual(['abg']);
    expect(await narrowed(ada, ['topic', 'links'], { operator: 'sender', operand: boId })).toHaveLength(1);
    expect(await narrowed(ada, { operator: 'id', operand: idOf('o2') })).toEqual(['o2']);
    expect(await narrowed(ada, ['id', String(idOf('o2'))])).toEqual(['o2']);
  });

  it('follows a message to its conversation', async () => {
    const withMessage = (content: string): unknown => ['with', String(idOf(content))];
    expect(await narrowed(ada, ['channel', 'shared'], ['topic', 'x'], withMessage('o1'))).toEqual([
      'o1',
      'o2',
      'o3',
      'o4',
      'o5',
    ]);
    expect(await narrowed(ada, withMessage('abg'))).toEqual(['abg']);
    expect(await narrowed(bo, ['channel', 'open'], ['topic', 'links'], withMessage('g1'))).toHaveLength(1);
    const alone = { anchor: 'newest', num_before: 1, num_after: 0, narrow: [withMessage('g1')] };
    expect((await bo.get('messages', alone)).body.code).toBe('BAD_NARROW');
  });

  it.each([
    ['an unknown operator', [['colour', 'red']], 'BAD_NARROW'],
    ['an unknown channel', [['channel', 'nowhere']], 'BAD_NARROW'],
    ['an unknown person', [['sender', 'nobody@example.com']], 'BAD_NARROW'],
    ['nobody', [['dm', '']], 'BAD_NARROW'],
    [
      'a channel beside a conversation',
      [
        ['channel', 'open'],
        ['dm', 'bo@example.com'],
      ],
      'BAD_NARROW',
    ],
    [
      'a conversation beside what no channel has',
      [['dm', 'bo@example.com'], { operator: 'channel', operand: 'open', negated: true }],
      'BAD_NARROW',
    ],
    [
      'a channel beside what no conversation has',
      [['channel', 'open'], { operator: 'is', operand: 'dm', negated: true }],
      'BAD_NARROW',
    ],
    ['what nothing is', [['is', 'nice']], 'BAD_NARROW'],
    ['with what is no id', [['with', 'x']], 'BAD_NARROW'],
    ['a term without an operand', [{ operator: 'topic' }], 'BAD_REQUEST'],
    ['a term of three', [['channel', 'open', 'x']], 'BAD_REQUEST'],
    ['a topic that is no text', [{ operator: 'topic', operand: 5 }], 'BAD_REQUEST'],
    ['a bare id of a person', [{ operator: 'dm', operand: 5 }], 'BAD_REQUEST'],
    ['ids of people under an older name', [{ operator: 'group_pm_with', operand: [5] }], 'BAD_REQUEST'],
    ['a term that is none', ['channel'], 'BAD_REQUEST'],
    ['more terms than anyone has to say', Array.from({ length: 101 }, () => ['is', 'unread']), 'BAD_REQUEST'],
  ])('is refused with %s', async (_what, narrow, code) => {
    const { status, body } = await ada.get('messages', {
      anchor: 'newest',
      num_before: 1,
      num_after: 0,
      narrow,
    });
    expect([status, body.code]).toEqual([400, code]);
    if (code === 'BAD_NARROW') expect(typeof body['desc']).toBe('string');
  });

  it('to a channel out of reach looks as if it were empty', async () => {
    const narrow = [['channel', 'guarded']];
    expect(
      await bo.must('get', 'messages', { anchor: 'newest', num_before: 10, num_after: 0, narrow }),
    ).toMatchObject({
      messages: [],
      found_oldest: true,
      found_newest: true,
      found_anchor: false,
      anchor: infinity,
    });
  });
});

describe('who may read what', () => {
  it('a person’s own history begins with their subscription', async () => {
    const { client, id } = await server.createUser(owner, 'Newcomer');
    await ada.must('post', 'users/me/subscriptions', { subscriptions: [{ name: 'open' }], principals: [id] });
    await send(ada, { to: open, topic: 'joined' }, 'after joining');
    expect(await narrowed(client, ['topic', 'joined'])).toEqual(['after joining']);
    expect(await narrowed(client, ['topic', 'main'])).toEqual([]);
  });

  it('a public channel shows its past, flagged as history, also to those who never joined', async () => {
    const { client } = await server.createUser(owner, 'Passer-by');
    const body = await client.must('get', 'messages', {
      anchor: 'oldest',
      num_before: 0,
      num_after: 1000,
      narrow: main,
    });
    const messages = body['messages'] as Reply[];
    expect(messages).toHaveLength(5);
    expect(messages.every((message) => (message['flags'] as string[]).join() === 'read,historical')).toBe(
      true,
    );
    expect(await narrowed(client, ['channels', 'public'], ['topic', 'main'])).toHaveLength(5);
    expect(await narrowed(client)).toEqual([]);
  });

  it('guests see public channels only when they are subscribed', async () => {
    expect(await narrowed(gil, ['channel', 'open'])).toEqual([]);
    expect(await narrowed(gil, ['channels', 'public'])).toEqual([]);
    expect((await gil.get(`messages/${idOf('o1')}`)).status).toBe(400);
  });

  it('a private channel with shared history shows its past to newcomers', async () => {
    const { client, id } = await server.createUser(owner, 'Second');
    expect(await narrowed(client, ['channel', 'shared'])).toEqual([]);
    await ada.must('post', 'users/me/subscriptions', {
      subscriptions: [{ name: 'shared' }],
      principals: [id],
    });
    expect(await narrowed(client, ['channel', 'shared'])).toEqual(['s1']);
    expect((await client.must('get', `messages/${idOf('s1')}`))['raw_content']).toBe('s1');
  });

  it('a private channel with protected history shows only what was received, for as long as one is subscribed', async () => {
    const { client, id } = await server.createUser(owner, 'Third');
    await send(ada, { to: guarded, topic: 'before they came' }, 'g0');
    const join = { subscriptions: [{ name: 'guarded' }], principals: [id] };
    const leave = { subscriptions: ['guarded'], principals: [id] };
    const seen = (): Promise<string[]> => narrowed(client, ['channel', 'guarded']);
    await ada.must('post', 'users/me/subscriptions', join);
    expect(await seen()).toEqual([]);
    await send(ada, guarded, 'g2');
    expect(await seen()).toEqual(['g2']);
    await ada.must('delete', 'users/me/subscriptions', leave);
    await send(ada, guarded, 'g3');
    expect(await seen()).toEqual([]);
    expect((await client.get(`messages/${idOf('g2')}`)).status).toBe(400);
    await ada.must('post', 'users/me/subscriptions', join);
    await send(ada, guarded, 'g4');
    expect(await seen()).toEqual(['g2', 'g4']);
    expect((await client.get(`messages/${idOf('g3')}`)).status).toBe(400);
    const { topics } = await client.must('get', `users/me/${guarded}/topics`);
    expect((topics as Reply[]).map((topic) => topic['name'])).toEqual(['main']);
  });

  it('topics of a channel out of reach are as unknown as those of none', async () => {
    const [there, nowhere] = [
      await bo.get(`users/me/${guarded}/topics`),
      await bo.get('users/me/99999/topics'),
    ];
    expect([there.status, there.body]).toEqual([400, nowhere.body]);
  });
});
