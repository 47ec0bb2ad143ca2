import { describe, expect, it } from '@jest/globals';
import { ada, adaId, bo, boId, owner, server } from '../support/ada-and-bo.js';
import type { ApiClient, Reply } from '../support/api-client.js';
import { Listener } from '../support/listener.js';

const infinity = 10_000_000_000_000_000;

let channels = 0;

/** A new channel, public unless it says otherwise. */
async function channel(principals: readonly number[], settings: object = {}): Promise<number> {
  const name = `channel ${(channels += 1)}`;
  return owner.createChannel(name, { principals, ...settings });
}

async function send(client: ApiClient, to: number, message: object = {}): Promise<number> {
  const request = { type: 'channel', to, topic: 'main', content: 'hello', ...message };
  return (await client.must('post', 'messages', request))['id'] as number;
}

async function direct(client: ApiClient, to: readonly number[]): Promise<number> {
  return (await client.must('post', 'messages', { type: 'direct', to, content: 'hello' }))['id'] as number;
}

type Operation = `${'add' | 'remove'} ${string}`;

async function mark(client: ApiClient, operation: Operation, messages: readonly number[]): Promise<Reply> {
  const [op, flag] = operation.split(' ');
  return client.must('post', 'messages/flags', { op, flag, messages });
}

async function flags(client: ApiClient, id: number): Promise<string[]> {
  const { message } = await client.must('get', `messages/${id}`);
  return message['flags'] as string[];
}

/** Beside it a channel has a topic with notices. */
const main = { operator: 'topic', operand: 'main' };

/** Ids of what somebody finds with a narrow. */
async function narrowed(client: ApiClient, ...narrow: readonly unknown[]): Promise<number[]> {
  const page = { anchor: 'newest', num_before: 1000, num_after: 0, narrow };
  const { messages } = await client.must('get', 'messages', page);
  return (messages as Reply[]).map((message) => message['id'] as number);
}

describe('the flags of messages', () => {
  it('say what was read, starred and collapsed, by each person for themselves', async () => {
    const place = await channel([adaId, boId]);
    const id = await send(bo, place);
    for (const flag of ['read', 'starred', 'collapsed']) {
      expect(await mark(ada, `add ${flag}`, [id])).toMatchObject({
        messages: [id],
        ignored_because_not_subscribed_channels: [],
      });
    }
    expect(await flags(ada, id)).toEqual(['read', 'starred', 'collapsed']);
    expect(await flags(bo, id)).toEqual([]);
    for (const flag of ['read', 'starred', 'collapsed']) await mark(ada, `remove ${flag}`, [id]);
    expect(await flags(ada, id)).toEqual([]);
  });

  it('call what somebody typed themselves read, until they mark it unread', async () => {
    const place = await channel([adaId]);
    const id = await send(ada, place, { read_by_sender: true });
    expect(await flags(ada, id)).toEqual(['read']);
    await mark(ada, 'remove read', [id]);
    expect(await flags(ada, id)).toEqual([]);
  });

  it.each([['mentioned'], ['has_alert_word'], ['historical'], ['shiny']])('refuse %s', async (flag) => {
    const id = await direct(bo, [adaId]);
    const { status, body } = await ada.post('messages/flags', { op: 'add', flag, messages: [id] });
    expect([status, body.code]).toEqual([400, 'BAD_REQUEST']);
  });

  it.each([
    ['an operation that there is not', { op: 'toggle', flag: 'read', messages: [] }],
    ['no messages', { op: 'add', flag: 'read' }],
    ['messages that are no list', { op: 'add', flag: 'read', messages: '[1,' }],
  ])('refuse %s', async (_what, request) => {
    expect((await ada.post('messages/flags', request)).status).toBe(400);
  });

  it('refuse a star on anything that the caller cannot see, with all the rest', async () => {
    const hidden = await send(owner, await channel([], { invite_only: true }));
    const seen = await direct(bo, [adaId]);
    const { status, body } = await ada.post('messages/flags', {
      op: 'add',
      flag: 'starred',
      messages: [seen, hidden],
    });
    expect([status, body.code]).toEqual([400, 'BAD_REQUEST']);
    expect(await flags(ada, seen)).toEqual([]);
  });

  it('are read as far as possible, and every id comes back', async () => {
    const hidden = await send(owner, await channel([], { invite_only: true }));
    const seen = await direct(bo, [adaId]);
    const ids = [hidden, seen, 99_999_999];
    expect((await mark(ada, 'add read', ids))['messages']).toEqual(ids);
    expect(await flags(ada, seen)).toEqual(['read']);
  });

  it('can be set on history: starring adds it to the person’s messages, as read', async () => {
    const place = await channel([boId]);
    const id = await send(bo, place);
    await mark(ada, 'remove read', [id]);
    expect(await flags(ada, id)).toEqual(['read', 'historical']);
    expect(await narrowed(ada, ['is', 'starred'])).not.toContain(id);
    await mark(ada, 'add starred', [id]);
    expect(await flags(ada, id)).toEqual(['read', 'starred', 'historical']);
    expect(await narrowed(ada, ['is', 'starred'])).toContain(id);
    expect(await narrowed(ada)).toContain(id);
  });

  it('do not become unread in a channel that was left', async () => {
    const place = await channel([adaId, boId]);
    const id = await send(bo, place);
    const name = `channel ${channels}`;
    await ada.must('delete', 'users/me/subscriptions', { subscriptions: [name] });
    const reply = await mark(ada, 'remove read', [id]);
    expect(reply['ignored_because_not_subscribed_channels']).toEqual([place]);
    expect(await flags(ada, id)).toEqual(['read']);
  });
});

describe('what is unread', () => {
  it('is alone in the event when it becomes read, without own messages and those read before', async () => {
    const { client: nia, id: niaId } = await server.createUser(owner, 'Nia');
    const place = await channel([boId, niaId]);
    const own = await send(nia, place, { read_by_sender: true });
    const first = await send(bo, place);
    await mark(nia, 'add read', [first]);
    await send(nia, place, { read_by_sender: true });
    const second = await send(bo, place);
    const listener = await Listener.register(nia);
    await mark(nia, 'add read', [own, first, second]);
    expect(await listener.newsOf('update_message_flags')).toMatchObject([{ op: 'add', messages: [second] }]);
  });

  it.each([['public'], ['private']])('is read once the person leaves the %s channel', async (kind) => {
    const [left, kept] = [
      await channel([adaId, boId], { invite_only: kind === 'private' }),
      await channel([adaId, boId]),
    ];
    const name = `channel ${channels - 1}`;
    const [first, elsewhere, second] = [await send(bo, left), await send(bo, kept), await send(bo, left)];
    const listener = await Listener.register(ada);
    await owner.must('delete', 'users/me/subscriptions', { subscriptions: [name], principals: [adaId] });
    const [read, ...others] = await listener.newsOf('update_message_flags');
    expect(read).toMatchObject({
      op: 'add',
      flag: 'read',
      messages: expect.arrayContaining([first, second]),
    });
    expect(read!['messages']).not.toContain(elsewhere);
    expect(others).toEqual([]);
    await bo.must('patch', `messages/${second}`, { stream_id: kept });
    expect(await flags(ada, elsewhere)).toEqual([]);
    expect(await flags(ada, second)).toEqual(['read']);
  });

  it('is found by its narrow, its opposite and its anchor', async () => {
    const place = await channel([adaId, boId]);
    const ids: number[] = [];
    for (let count = 0; count < 6; count += 1) ids.push(await send(bo, place));
    await mark(ada, 'add read', [ids[0]!, ids[1]!, ids[3]!]);
    const here = { operator: 'channel', operand: place };
    expect(await narrowed(ada, here, main, ['is', 'unread'])).toEqual([ids[2], ids[4], ids[5]]);
    const read = { operator: 'is', operand: 'unread', negated: true };
    expect(await narrowed(ada, here, main, read)).toEqual([ids[0], ids[1], ids[3]]);
    const around = { num_before: 1, num_after: 1, narrow: [here, main] };
    for (const anchor of [{ anchor: 'first_unread' }, { anchor: 0, use_first_unread_anchor: true }]) {
      const page = await ada.must('get', 'messages', { ...around, ...anchor });
      expect(page['anchor']).toBe(ids[2]);
      expect((page['messages'] as Reply[]).map(({ id }) => id as number)).toEqual(ids.slice(1, 4));
    }
    await ada.must('post', 'mark_stream_as_read', { stream_id: place });
    const page = await ada.must('get', 'messages', { ...around, anchor: 'first_unread' });
    expect(page).toMatchObject({ anchor: infinity, found_newest: true });
  });

  it('does not begin in a muted channel, unless the narrow is that channel', async () => {
    await ada.must('post', 'mark_all_as_read');
    const muted = await channel([adaId, boId]);
    await ada.must('patch', `users/me/subscriptions/${muted}`, { property: 'is_muted', value: true });
    const first = await send(bo, muted);
    const heard = await direct(bo, [adaId]);
    const page = { anchor: 'first_unread', num_before: 0, num_after: 0 };
    expect((await ada.must('get', 'messages', page))['anchor']).toBe(heard);
    const there = { ...page, narrow: [{ operator: 'channel', operand: muted }, main] };
    expect((await ada.must('get', 'messages', there))['anchor']).toBe(first);
    expect(await narrowed(ada, ['in', 'home'])).not.toContain(first);
    expect(await narrowed(ada, ['in', 'all'])).toContain(first);
    expect(await narrowed(ada, ['is', 'muted'])).toContain(first);
  });

  it('does not begin in an archived channel, unless the narrow is that channel or conversation', async () => {
    await ada.must('post', 'mark_all_as_read');
    const archived = await channel([adaId, boId]);
    const notices = await narrowed(ada, ['is', 'unread']);
    await mark(ada, 'add read', notices);
    const first = await send(bo, archived);
    const heard = await direct(bo, [adaId]);
    await owner.must('delete', `streams/${archived}`);
    const page = { anchor: 'first_unread', num_before: 0, num_after: 0 };
    expect((await ada.must('get', 'messages', page))['anchor']).toBe(heard);
    const conversation = [{ operator: 'with', operand: first }];
    for (const narrow of [[{ operator: 'channel', operand: archived }], conversation]) {
      expect((await ada.must('get', 'messages', { ...page, narrow }))['anchor']).toBe(first);
    }
    expect(await narrowed(ada, ['is', 'unread'])).toEqual([first, heard]);
  });

  it('is empty after everything is marked as read', async () => {
    await direct(bo, [adaId]);
    expect(await ada.must('post', 'mark_all_as_read')).toMatchObject({ complete: true });
    expect(await narrowed(ada, ['is', 'unread'])).toEqual([]);
    const next = await direct(bo, [adaId]);
    expect(await narrowed(ada, ['is', 'unread'])).toEqual([next]);
  });

  it('is marked as read topic by topic, in any letter case', async () => {
    const place = await channel([adaId, boId]);
    const engine = await send(bo, place, { topic: 'Engine' });
    const other = await send(bo, place, { topic: 'Other' });
    await ada.must('post', 'mark_topic_as_read', { stream_id: place, topic_name: 'eNGINE' });
    expect(await flags(ada, engine)).toEqual(['read']);
    expect(await flags(ada, other)).toEqual([]);
    await ada.must('post', 'mark_topic_as_read', { stream_id: place, topic_name: 'engine' });
    const nowhere = { stream_id: place, topic_name: 'nowhere' };
    expect((await ada.post('mark_topic_as_read', nowhere)).status).toBe(400);
  });

  it('can be marked as read in a topic of which the person only starred a message', async () => {
    const place = await channel([boId]);
    const engine = await send(bo, place, { topic: 'Engine' });
    const topic = { stream_id: place, topic_name: 'engine' };
    expect((await ada.post('mark_topic_as_read', topic)).status).toBe(400);
    await mark(ada, 'add starred', [engine]);
    await ada.must('post', 'mark_topic_as_read', topic);
  });

  it.each(['mark_stream_as_read', 'mark_topic_as_read'])(
    'cannot be marked by %s in a channel that the person cannot see',
    async (path) => {
      const hidden = await channel([], { invite_only: true });
      for (const stream_id of [hidden, 99_999]) {
        const { status, body } = await ada.post(path, { stream_id, topic_name: 'main' });
        expect([status, body.code]).toEqual([400, 'BAD_REQUEST']);
      }
      expect((await ada.post(path, { topic_name: 'main' })).body.code).toBe('REQUEST_VARIABLE_MISSING');
    },
  );
});

describe('flags for a narrow', () => {
  it('are changed on a page, which tells how far it went', async () => {
    const place = await channel([adaId, boId]);
    const ids: number[] = [];
    for (let count = 0; count < 5; count += 1) ids.push(await send(bo, place));
    await mark(ada, 'add read', [ids[1]!]);
    const narrow = [{ operator: 'channel', operand: place }, main];
    const request = { anchor: ids[2], num_before: 1, num_after: 1, narrow, op: 'add', flag: 'read' };
    expect(await ada.must('post', 'messages/flags/narrow', request)).toMatchObject({
      processed_count: 3,
      updated_count: 2,
      first_processed_id: ids[1],
      last_processed_id: ids[3],
      found_oldest: false,
      found_newest: false,
      ignored_because_not_subscribed_channels: [],
    });
    expect(await narrowed(ada, ...narrow, ['is', 'unread'])).toEqual([ids[0], ids[4]]);
  });

  it('are changed nowhere when nothing is there, and at most on 5000 messages', async () => {
    const place = await channel([adaId]);
    const narrow = [
      { operator: 'channel', operand: place },
      { operator: 'topic', operand: 'none' },
    ];
    const request = { anchor: 'oldest', num_before: 0, num_after: 9000, narrow, op: 'add', flag: 'read' };
    expect(await ada.must('post', 'messages/flags/narrow', request)).toMatchObject({
      processed_count: 0,
      updated_count: 0,
      first_processed_id: null,
      last_processed_id: null,
      found_oldest: true,
      found_newest: true,
    });
  });

  it('lie on both sides of the anchor, though more is asked for than may be', async () => {
    const place = await channel([adaId]);
    const ids: number[] = [];
    for (let count = 0; count < 3; count += 1) ids.push(await send(bo, place));
    const narrow = [{ operator: 'channel', operand: place }, main];
    const request = { anchor: ids[1], num_before: 5000, num_after: 5000, op: 'add', flag: 'read' };
    expect(await ada.must('post', 'messages/flags/narrow', { ...request, narrow })).toMatchObject({
      first_processed_id: ids[0],
      last_processed_id: ids[2],
    });
  });

  it('lie anywhere without terms, and at a date', async () => {
    const last = await direct(bo, [adaId]);
    const page = { num_before: 1, num_after: 0, include_anchor: true, op: 'add', flag: 'starred' };
    const newest = { ...page, anchor: 'newest', narrow: 'null' };
    expect(await ada.must('post', 'messages/flags/narrow', newest)).toMatchObject({
      last_processed_id: last,
    });
    const dated = { ...page, anchor: 'date', anchor_date: '2999-01-01', narrow: [] };
    expect(await ada.must('post', 'messages/flags/narrow', dated)).toMatchObject({
      last_processed_id: last,
    });
  });

  it('need a narrow that can be read', async () => {
    const request = { anchor: 'oldest', num_before: 0, num_after: 1, op: 'add', flag: 'read' };
    const bad = [{ operator: 'is', operand: 'nice' }];
    expect((await ada.post('messages/flags/narrow', { ...request, narrow: bad })).body.code).toBe(
      'BAD_NARROW',
    );
    expect((await ada.post('messages/flags/narrow', request)).body.code).toBe('REQUEST_VARIABLE_MISSING');
  });
});

describe('a narrow to mentions', () => {
  it('finds every kind, or only those of one person', async () => {
    const place = await channel([adaId, boId]);
    const named = await send(bo, place, { content: '@**Ada** look' });
    const everyone = await send(bo, place, { content: '@**all** look' });
    const engineers = { name: 'engineers', description: '', members: [adaId] };
    await owner.must('post', 'user_groups/create', engineers);
    const grouped = await send(bo, place, { content: '@*engineers* look' });
    await send(bo, place);
    const here = { operator: 'channel', operand: place };
    expect(await narrowed(ada, here, ['is', 'mentioned'])).toEqual([named, everyone, grouped]);
    expect(await narrowed(bo, here, ['is', 'mentioned'])).toEqual([everyone]);
    expect(await narrowed(ada, here, { operator: 'mentions', operand: adaId })).toEqual([named]);
    const { body } = await ada.get('messages', {
      anchor: 'newest',
      num_before: 1,
      num_after: 0,
      narrow: [{ operator: 'mentions', operand: 99_999 }],
    });
    expect(body.code).toBe('BAD_NARROW');
  });
});

describe('a mention of everybody in a direct conversation', () => {
  it('means its people, in flags, in the narrow and among the unread', async () => {
    const { client: vera, id: veraId } = await server.createUser(owner, 'Vera of the talk');
    const message = { type: 'direct', to: [adaId, veraId], content: '@**all** lunch?' };
    const { id } = await bo.must('post', 'messages', message);
    expect(await flags(vera, id as number)).toEqual(['stream_wildcard_mentioned', 'wildcard_mentioned']);
    expect(await narrowed(vera, ['is', 'dm'], ['is', 'mentioned'])).toEqual([id]);
    const { unread_msgs: unread } = await vera.must('post', 'register', {
      event_types: ['message', 'update_message_flags'],
    });
    expect(unread).toMatchObject({ mentions: [id] });
  });
});

describe('a mention of a whole topic', () => {
  const wildcard = ['topic_wildcard_mentioned', 'wildcard_mentioned'];

  it('means those who wrote or reacted there so far, also when it is edited in', async () => {
    const { client: vera, id: veraId } = await server.createUser(owner, 'Vera');
    const { client: iris, id: irisId } = await server.createUser(owner, 'Iris');
    const place = await channel([adaId, boId, veraId, irisId]);
    await send(bo, place);
    const first = await send(ada, place);
    await iris.must('post', `messages/${first}/reactions`, { emoji_name: 'octopus' });
    const said = await send(ada, place, { content: '@**topic** hello' });
    await send(vera, place);
    const edited = await send(ada, place);
    await ada.must('patch', `messages/${edited}`, { content: 'hello @**topic**' });
    for (const participant of [ada, bo, iris]) expect(await flags(participant, said)).toEqual(wildcard);
    expect(await flags(vera, said)).toEqual([]);
    for (const participant of [ada, bo, vera, iris]) {
      expect(await flags(participant, edited)).toEqual(wildcard);
    }
    const here = { operator: 'channel', operand: place };
    expect(await narrowed(vera, here, ['is', 'mentioned'])).toEqual([edited]);
    expect(await narrowed(bo, here, ['is', 'mentioned'])).toEqual([said, edited]);
    const { unread_msgs: unread } = await vera.must('post', 'register', {
      event_types: ['message', 'update_message_flags'],
    });
    expect(unread).toMatchObject({ mentions: [edited] });
  });
});

describe('read receipts', () => {
  it('are not given while the organization does not want them', async () => {
    const id = await direct(bo, [adaId]);
    const { status, body } = await ada.get(`messages/${id}/read_receipts`);
    expect([status, body.code]).toEqual([400, 'BAD_REQUEST']);
  });

  it('are not given of a message that is out of reach, nor is it told that there is one', async () => {
    await owner.must('patch', 'realm', { enable_read_receipts: true });
    const hidden = await direct(owner, [adaId]);
    const refusalOf = async (id: number): Promise<unknown[]> => {
      const { status, body } = await bo.get(`messages/${id}/read_receipts`);
      return [status, body.code, body.msg, body['user_ids']];
    };
    expect(await refusalOf(hidden)).toEqual([400, 'BAD_REQUEST', 'Invalid message(s)', undefined]);
    expect(await refusalOf(hidden)).toEqual(await refusalOf(999_999));
  });

  it('leave out those whom the caller mutes and those who mute the caller, as of now', async () => {
    await owner.must('patch', 'realm', { enable_read_receipts: true });
    const { client: cas, id: casId } = await server.createUser(owner, 'Cas');
    const id = await direct(owner, [adaId, boId, casId]);
    for (const reader of [ada, bo, cas]) await mark(reader, 'add read', [id]);
    const receipts = async (client: ApiClient): Promise<unknown> =>
      (await client.must('get', `messages/${id}/read_receipts`))['user_ids'];
    expect(await receipts(ada)).toEqual([adaId, boId, casId]);
    await ada.must('post', `users/me/muted_users/${boId}`);
    expect(await receipts(ada)).toEqual([adaId, casId]);
    expect(await receipts(bo)).toEqual([boId, casId]);
    expect(await receipts(cas)).toEqual([adaId, boId, casId]);
    await ada.must('delete', `users/me/muted_users/${boId}`);
    expect(await receipts(bo)).toEqual([adaId, boId, casId]);
  });
});

describe('who has no flags', () => {
  it('is anyone without credentials', async () => {
    const { status } = await server
      .createUser(owner, 'Gone')
      .then(async ({ id, client }) => (await owner.must('delete', `users/${id}`), client))
      .then((client) => client.post('messages/flags', { op: 'add', flag: 'read', messages: [] }));
    expect(status).toBe(401);
  });
});
