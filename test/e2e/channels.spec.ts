import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ApiClient, Reply } from '../support/api-client.js';
import { eventually } from '../support/eventually.js';
import { TestServer } from '../support/server.js';

interface Person {
  readonly id: number;
  readonly client: ApiClient;
}

let server: TestServer;
let owner: Person;
let ada: Person;
let bo: Person;

beforeAll(async () => {
  server = await TestServer.start();
  const client = await server.owner();
  const { user_id: id } = await client.must('get', 'users/me');
  owner = { id: id as number, client };
  ada = await server.createUser(client, 'Ada Quill');
  bo = await server.createUser(client, 'Bo Reed');
});

afterAll(() => server.stop());

/** Creates a channel, with its creator subscribed, and answers its id. */
async function create(
  { client }: Person,
  name: string,
  settings: Record<string, unknown> = {},
): Promise<number> {
  await client.must('post', 'users/me/subscriptions', { subscriptions: [{ name }], ...settings });
  return idOf(client, name);
}

async function idOf(client: ApiClient, stream: string): Promise<number> {
  return client.channelId(stream);
}

interface Listed {
  readonly stream_id: number;
  readonly name: string;
  readonly content: string;
}

/** The rows of a reply's list. */
function rows(reply: Reply, name: string): readonly Listed[] {
  return reply[name] as Listed[];
}

function refusal(answer: { readonly status: number; readonly body: Reply }): [number, unknown] {
  return [answer.status, answer.body['code']];
}

const refused = [400, 'BAD_REQUEST'];

async function noticesIn(client: ApiClient, channelId: number): Promise<string[]> {
  const narrow = [
    { operator: 'channel', operand: channelId },
    { operator: 'topic', operand: 'channel events' },
  ];
  const query = { anchor: 'newest', num_before: 100, num_after: 0, apply_markdown: false, narrow };
  return rows(await client.must('get', 'messages', query), 'messages').map(({ content }) => content);
}

describe('POST /users/me/subscriptions', () => {
  it('creates a channel, and subscribes to it once it exists', async () => {
    const subscriptions = [{ name: 'engines', description: 'About **engines**', color: '#ABC' }];
    expect(await ada.client.must('post', 'users/me/subscriptions', { subscriptions })).toEqual({
      result: 'success',
      msg: '',
      subscribed: { [ada.id]: ['engines'] },
      already_subscribed: {},
      new_subscription_messages_sent: true,
    });
    const nobody = { subscriptions, principals: [], send_new_subscription_messages: false };
    expect(await ada.client.must('post', 'users/me/subscriptions', nobody)).toEqual({
      result: 'success',
      msg: '',
      subscribed: {},
      already_subscribed: { [ada.id]: ['engines'] },
    });
    const again = { subscriptions: [{ name: 'ENGINES' }], principals: [ada.id, bo.id] };
    expect(await ada.client.must('post', 'users/me/subscriptions', again)).toMatchObject({
      subscribed: { [bo.id]: ['engines'] },
      already_subscribed: { [ada.id]: ['engines'] },
    });
  });

  it('names people by their addresses, too', async () => {
    const { email } = await bo.client.must('get', 'users/me');
    const request = { subscriptions: [{ name: 'addressed' }], principals: [email] };
    expect(await ada.client.must('post', 'users/me/subscriptions', request)).toMatchObject({
      subscribed: { [bo.id]: ['addressed'] },
    });
  });

  it('hides a private channel from everyone else, and refuses to subscribe them', async () => {
    const id = await create(ada, 'hidden', { invite_only: true });
    const subscriptions = [{ name: 'hidden' }];
    expect(refusal(await bo.client.post('users/me/subscriptions', { subscriptions }))).toEqual(refused);
    const lenient = { subscriptions, authorization_errors_fatal: false };
    expect(await bo.client.must('post', 'users/me/subscriptions', lenient)).toMatchObject({
      subscribed: {},
      unauthorized: ['hidden'],
    });
    const [hidden, missing] = [await bo.client.get(`streams/${id}`), await bo.client.get('streams/9999')];
    expect(hidden.body).toEqual(missing.body);
    expect(await ada.client.must('get', `streams/${id}`)).toMatchObject({
      stream: { invite_only: true, history_public_to_subscribers: false },
    });
  });

  it('creates a channel once when several people subscribe at the same time', async () => {
    const subscriptions = [{ name: 'raced for' }];
    const requests = Array.from({ length: 16 }, (_, index) =>
      (index % 2 === 0 ? ada : bo).client.must('post', 'users/me/subscriptions', { subscriptions }),
    );
    await Promise.all(requests);
    const id = await idOf(ada.client, 'raced for');
    expect(await ada.client.must('get', `streams/${id}/members`)).toMatchObject({
      subscribers: [ada.id, bo.id],
    });
    const named = rows(await ada.client.must('get', 'streams'), 'streams').filter(
      ({ name }) => name === 'raced for',
    );
    expect(named).toHaveLength(1);
  });

  it.each([
    ['no channels', {}, [400, 'REQUEST_VARIABLE_MISSING']],
    ['a name beyond 60 code points', { subscriptions: [{ name: 'x'.repeat(61) }] }, refused],
    ['a channel without a name', { subscriptions: [{ description: 'x' }] }, refused],
    ['no colour', { subscriptions: [{ name: 'coloured', color: 'red' }] }, refused],
    ['nobody', { subscriptions: [{ name: 'peopled' }], principals: [9999] }, refused],
    [
      'a retention policy by a member',
      { subscriptions: [{ name: 'kept' }], message_retention_days: 3 },
      [400, 'UNAUTHORIZED_PRINCIPAL'],
    ],
    ['an unknown group', { subscriptions: [{ name: 'grouped' }], can_send_message_group: 999 }, refused],
  ])('refuses %s', async (_what, request, expected) => {
    expect(refusal(await ada.client.post('users/me/subscriptions', request))).toEqual(expected);
  });
});

describe('GET /users/me/subscriptions', () => {
  it('has every field that the API document has', async () => {
    const subscriptions = [{ name: 'complete', description: 'All of *it*', color: '#0F0' }];
    await ada.client.must('post', 'users/me/subscriptions', { subscriptions });
    const reply = await ada.client.must('get', 'users/me/subscriptions', { include_subscribers: true });
    const listed = rows(reply, 'subscriptions');
    const creator = { direct_members: [ada.id], direct_subgroups: [] };
    expect(listed.find(({ name }) => name === 'complete')).toEqual({
      stream_id: await idOf(ada.client, 'complete'),
      name: 'complete',
      description: 'All of *it*',
      rendered_description: '<p>All of <em>it</em></p>',
      date_created: expect.any(Number),
      creator_id: ada.id,
      invite_only: false,
      is_web_public: false,
      history_public_to_subscribers: true,
      is_archived: false,
      message_retention_days: null,
      first_message_id: expect.any(Number),
      folder_id: null,
      topics_policy: 'inherit',
      is_recently_active: true,
      stream_weekly_traffic: null,
      subscriber_count: 1,
      stream_post_policy: 1,
      is_announcement_only: false,
      can_add_subscribers_group: 8,
      can_administer_channel_group: creator,
      can_create_topic_group: 2,
      can_delete_any_message_group: 8,
      can_delete_own_message_group: 8,
      can_move_messages_out_of_channel_group: 8,
      can_move_messages_within_channel_group: 8,
      can_remove_subscribers_group: 6,
      can_resolve_topics_group: 8,
      can_send_message_group: 2,
      can_subscribe_group: 8,
      color: '#00ff00',
      is_muted: false,
      in_home_view: true,
      pin_to_top: false,
      desktop_notifications: null,
      audible_notifications: null,
      push_notifications: null,
      email_notifications: null,
      wildcard_mentions_notify: null,
      subscribers: [ada.id],
    });
  });

  it.each([
    [undefined, false],
    ['false', false],
    ['true', true],
    ['partial', true],
  ])('with include_subscribers %s lists subscribers: %s', async (include, lists) => {
    const parameters = include === undefined ? {} : { include_subscribers: include };
    const { subscriptions } = await ada.client.must('get', 'users/me/subscriptions', parameters);
    for (const subscription of subscriptions as Reply[]) {
      expect('subscribers' in subscription).toBe(lists);
      expect(subscription).not.toHaveProperty('partial_subscribers');
    }
  });

  it('refuses another include_subscribers, and leaves out archived channels', async () => {
    const wrong = await ada.client.get('users/me/subscriptions', { include_subscribers: 'some' });
    expect(refusal(wrong)).toEqual(refused);
    const id = await create(ada, 'old stuff');
    await ada.client.must('delete', `streams/${id}`);
    const listed = await ada.client.must('get', 'users/me/subscriptions');
    expect(rows(listed, 'subscriptions').map(({ name }) => name)).not.toContain('old stuff');
  });
});

describe('DELETE /users/me/subscriptions', () => {
  it('unsubscribes from several channels, and names those one was not in', async () => {
    await create(ada, 'left 1');
    await create(ada, 'left 2');
    await create(bo, 'left 3');
    const subscriptions = ['left 1', 'LEFT 2', 'left 3'];
    expect(await ada.client.must('delete', 'users/me/subscriptions', { subscriptions })).toMatchObject({
      removed: ['left 1', 'left 2'],
      not_removed: ['left 3'],
    });
  });

  it('subscribes and unsubscribes by one request', async () => {
    await create(ada, 'old haunt');
    const changes = { add: [{ name: 'new haunt' }], delete: ['old haunt'] };
    expect(await ada.client.must('patch', 'users/me/subscriptions', changes)).toMatchObject({
      subscribed: { [ada.id]: ['new haunt'] },
      already_subscribed: {},
      removed: ['old haunt'],
      not_removed: [],
    });
    expect(refusal(await ada.client.patch('users/me/subscriptions', {}))).toEqual(refused);
  });

  it('removes others only by whom the channel lets', async () => {
    const id = await create(ada, 'strict', { principals: [ada.id, bo.id] });
    const request = (userId: number) => ({ subscriptions: ['strict'], principals: [userId] });
    expect(refusal(await bo.client.delete('users/me/subscriptions', request(ada.id)))).toEqual(refused);
    await owner.client.must('delete', 'users/me/subscriptions', request(bo.id));
    expect(await ada.client.must('get', `streams/${id}/members`)).toMatchObject({ subscribers: [ada.id] });
  });

  it('answers alike for a hidden channel and a missing one', async () => {
    await create(ada, 'secret');
    await ada.client.must('patch', `streams/${await idOf(ada.client, 'secret')}`, { is_private: true });
    const answers = await Promise.all(
      ['secret', 'absent'].map((name) =>
        bo.client.delete('users/me/subscriptions', { subscriptions: [name] }),
      ),
    );
    const [hidden, missing] = answers.map(({ status, body }) => JSON.stringify([status, body['code']]));
    expect(hidden).toBe(missing);
  });
});

describe('GET /streams and what belongs to a channel', () => {
  it('lists public channels, those of one’s own, and archived ones only on demand', async () => {
    const own = await create(bo, 'bo’s own', { invite_only: true });
    const archived = await create(bo, 'bo’s archive');
    await bo.client.must('delete', `streams/${archived}`);
    const ids = async (parameters: Record<string, unknown>, { client } = bo): Promise<unknown[]> => {
      const listed = await client.must('get', 'streams', parameters);
      return rows(listed, 'streams').map(({ stream_id: id }) => id);
    };
    expect(await ids({})).toContain(own);
    expect(await ids({})).not.toContain(archived);
    expect(await ids({ exclude_archived: false })).toContain(archived);
    expect(await ids({ include_subscribed: false })).not.toContain(own);
    expect(await ids({}, ada)).not.toContain(own);
    expect(await ids({ include_all: true }, ada)).not.toContain(own);
    expect(await ids({ include_all: true }, owner)).toContain(own);
  });

  it('lists the channels of its owner for a bot that asks for them, private ones included', async () => {
    const own = await create(bo, 'of bo’s bot', { invite_only: true });
    const other = await create(ada, 'not of bo’s bot', { invite_only: true });
    const bot = await server.createBot(bo.client, 'Lister');
    const ids = async (parameters: Record<string, unknown>): Promise<unknown[]> =>
      rows(await bot.client.must('get', 'streams', parameters), 'streams').map(({ stream_id: id }) => id);
    expect(await ids({})).not.toContain(own);
    expect(await ids({ include_owner_subscribed: true })).toContain(own);
    expect(await ids({ include_owner_subscribed: true })).not.toContain(other);
  });

  it('tells whether somebody is subscribed', async () => {
    const id = await create(ada, 'asked about');
    const ask = (userId: number) => bo.client.must('get', `users/${userId}/subscriptions/${id}`);
    expect(await ask(ada.id)).toMatchObject({ is_subscribed: true });
    expect(await ask(bo.id)).toMatchObject({ is_subscribed: false });
    expect(refusal(await bo.client.get(`users/9999/subscriptions/${id}`))).toEqual(refused);
    expect(refusal(await bo.client.get(`users/${ada.id}/subscriptions/9999`))).toEqual(refused);
  });

  it('lists what somebody is subscribed to, of what the reader may know of', async () => {
    const dee = await server.createUser(owner.client, 'Dee');
    const [open, own, gone] = await Promise.all([
      create(dee, 'open to Dee'),
      create(dee, 'Dee’s own', { invite_only: true }),
      create(dee, 'gone from Dee'),
    ]);
    await dee.client.must('delete', `streams/${gone}`);
    const channelsOf = async (reader: ApiClient): Promise<unknown> =>
      (await reader.must('get', `users/${dee.id}/channels`))['subscribed_channel_ids'];
    const ascending = [open, own].sort((a, b) => a - b);
    expect(await channelsOf(dee.client)).toEqual(ascending);
    expect(await channelsOf(owner.client)).toEqual(ascending);
    expect(await channelsOf(bo.client)).toEqual([open]);
    expect(refusal(await bo.client.get('users/9999/channels'))).toEqual(refused);
  });

  it('refuses names and ids that there are not', async () => {
    expect(refusal(await bo.client.get('get_stream_id', { stream: 'absent' }))).toEqual(refused);
    expect(refusal(await bo.client.get('get_stream_id'))).toEqual([400, 'REQUEST_VARIABLE_MISSING']);
    expect(refusal(await bo.client.get('streams/9999/members'))).toEqual(refused);
  });
});

describe('PATCH /streams/{stream_id}', () => {
  it('changes all of it at once', async () => {
    const id = await create(ada, 'to change');
    await ada.client.must('patch', `streams/${id}`, {
      new_name: 'changed',
      description: 'New',
      is_private: true,
      history_public_to_subscribers: true,
      can_send_message_group: { new: 5, old: 2 },
      topics_policy: 'disable_empty_topic',
    });
    expect(await ada.client.must('get', `streams/${id}`)).toMatchObject({
      stream: {
        name: 'changed',
        rendered_description: '<p>New</p>',
        invite_only: true,
        history_public_to_subscribers: true,
        stream_post_policy: 4,
        topics_policy: 'disable_empty_topic',
      },
    });
    expect(refusal(await ada.client.get('get_stream_id', { stream: 'to change' }))).toEqual(refused);
  });

  it('takes null for what a client does not say', async () => {
    const subscriptions = [{ name: 'unsaid', description: null, color: null }];
    await ada.client.must('post', 'users/me/subscriptions', {
      subscriptions,
      message_retention_days: 'realm_default',
    });
    const id = await idOf(ada.client, 'unsaid');
    await ada.client.must('patch', `streams/${id}`, { can_send_message_group: { new: 5, old: null } });
    expect(await ada.client.must('get', `streams/${id}`)).toMatchObject({
      stream: { description: '', can_send_message_group: 5, message_retention_days: null },
    });
  });

  it('changes nothing when one part of it is refused', async () => {
    const id = await create(ada, 'unchanged');
    const request = { description: 'New', can_send_message_group: { new: 5, old: 3 } };
    const answer = await ada.client.patch(`streams/${id}`, request);
    expect(answer).toMatchObject({
      status: 400,
      body: { code: 'EXPECTATION_MISMATCH', field_name: 'old' },
    });
    expect(await ada.client.must('get', `streams/${id}`)).toMatchObject({ stream: { description: '' } });
  });

  it('is for its administrators', async () => {
    const id = await create(ada, 'administered');
    expect(refusal(await bo.client.patch(`streams/${id}`, { description: 'x' }))).toEqual(refused);
    expect(refusal(await bo.client.delete(`streams/${id}`))).toEqual(refused);
    await owner.client.must('patch', `streams/${id}`, { message_retention_days: 30 });
    await owner.client.must('patch', `streams/${id}`, { is_announcement_only: true });
    expect(await bo.client.must('get', `streams/${id}`)).toMatchObject({
      stream: { message_retention_days: 30, is_announcement_only: true, can_send_message_group: 6 },
    });
    expect(refusal(await owner.client.patch(`streams/${id}`, { stream_post_policy: 9 }))).toEqual(refused);
    const taken = await owner.client.patch(`streams/${id}`, { new_name: 'ENGINES' });
    expect(refusal(taken)).toEqual(refused);
  });

  it('archives and opens again', async () => {
    const id = await create(ada, 'reopened');
    await ada.client.must('delete', `streams/${id}`);
    expect(await ada.client.must('get', `streams/${id}`)).toMatchObject({ stream: { is_archived: true } });
    await ada.client.must('patch', `streams/${id}`, { is_archived: false });
    expect(await ada.client.must('get', `streams/${id}`)).toMatchObject({ stream: { is_archived: false } });
  });
});

describe('POST /channels/create', () => {
  it('creates a channel that must not exist yet', async () => {
    const request = { name: 'made at once', subscribers: [bo.id] };
    const { id } = await ada.client.must('post', 'channels/create', request);
    expect(await ada.client.must('get', `streams/${id}/members`)).toMatchObject({ subscribers: [bo.id] });
    expect(await ada.client.post('channels/create', request)).toMatchObject({
      status: 409,
      body: { code: 'CHANNEL_ALREADY_EXISTS', channel_name: 'made at once' },
    });
  });
});

describe('how a channel looks and notifies', () => {
  it('is set for one channel or several', async () => {
    const [first, second] = [await create(ada, 'looks 1'), await create(ada, 'looks 2')];
    const of = async (id: number): Promise<Listed | undefined> => {
      const listed = await ada.client.must('get', 'users/me/subscriptions');
      return rows(listed, 'subscriptions').find(({ stream_id }) => stream_id === id);
    };
    await ada.client.must('patch', `users/me/subscriptions/${first}`, {
      property: 'color',
      value: '#FF00aa',
    });
    await ada.client.must('post', 'users/me/subscriptions/properties', {
      subscription_data: [
        { stream_id: first, property: 'in_home_view', value: false },
        { stream_id: second, property: 'pin_to_top', value: true },
        { stream_id: second, property: 'push_notifications', value: false },
      ],
    });
    expect(await of(first)).toMatchObject({ color: '#ff00aa', is_muted: true, in_home_view: false });
    expect(await of(second)).toMatchObject({ pin_to_top: true, push_notifications: false });
  });

  it.each([
    ['an unknown property', 'shape', 'true'],
    ['a colour that is none', 'color', 'blue'],
    ['text for a boolean', 'is_muted', 'yes'],
  ])('refuses %s', async (_what, property, value) => {
    const id = await idOf(ada.client, 'looks 1');
    expect(refusal(await ada.client.patch(`users/me/subscriptions/${id}`, { property, value }))).toEqual(
      refused,
    );
  });

  it('refuses a channel that one is not subscribed to', async () => {
    const id = await idOf(ada.client, 'looks 1');
    const request = { property: 'is_muted', value: true };
    expect(refusal(await bo.client.patch(`users/me/subscriptions/${id}`, request))).toEqual(refused);
    expect(refusal(await bo.client.patch('users/me/subscriptions/9999', request))).toEqual(refused);
  });
});

describe('the notification bot', () => {
  it('sends messages to a channel about its changes', async () => {
    const id = await create(ada, 'noticed');
    await ada.client.must('patch', `streams/${id}`, { new_name: 'renamed', description: 'New' });
    const notices = await eventually(
      () => noticesIn(ada.client, id),
      ({ length }) => length >= 3,
    );
    expect(notices).toEqual([
      expect.stringContaining('**Public** channel created by @_**Ada Quill'),
      expect.stringContaining('renamed channel **noticed** to **renamed**'),
      expect.stringContaining('changed the description'),
    ]);
  });

  it('tells whom somebody else subscribed', async () => {
    await create(ada, 'invited to');
    const request = { subscriptions: [{ name: 'invited to' }], principals: [bo.id] };
    await ada.client.must('post', 'users/me/subscriptions', request);
    const query = {
      anchor: 'newest',
      num_before: 10,
      num_after: 0,
      apply_markdown: false,
      narrow: [{ operator: 'is', operand: 'dm' }],
    };
    const contents = await eventually(
      async () =>
        rows(await bo.client.must('get', 'messages', query), 'messages').map(({ content }) => content),
      (found) => found.some((content) => content.includes('#**invited to**')),
    );
    expect(contents.filter((content) => content.includes('#**invited to**'))).toHaveLength(1);
  });
});

describe('a default channel', () => {
  it('subscribes people who join afterwards', async () => {
    const id = await create(owner, 'welcome', { is_default_stream: true });
    const { id: userId } = await server.createUser(owner.client, 'Cy New');
    const status = await eventually(
      () => owner.client.must('get', `users/${userId}/subscriptions/${id}`),
      ({ is_subscribed: isSubscribed }) => isSubscribed === true,
    );
    expect(status).toMatchObject({ is_subscribed: true });
    const listed = await owner.client.must('get', 'streams', { include_default: true });
    const welcome = rows(listed, 'streams').find(({ stream_id }) => stream_id === id);
    expect(welcome).toMatchObject({ is_default: true });
  });
});
