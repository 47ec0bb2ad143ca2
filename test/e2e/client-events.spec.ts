import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { ApiClient, Reply } from '../support/api-client.js';
import { Listener, type ReceivedEvent } from '../support/listener.js';
import { TestServer } from '../support/server.js';

let server: TestServer;
let owner: ApiClient;
let ada: ApiClient;
let adaId: number;
let bo: ApiClient;
let boId: number;
let cas: ApiClient;
let lab: number;
let heard: Record<'ada' | 'bo' | 'cas', Listener>;

beforeAll(async () => {
  server = await TestServer.start();
  owner = await server.owner();
  ({ client: ada, id: adaId } = await server.createUser(owner, 'Ada'));
  ({ client: bo, id: boId } = await server.createUser(owner, 'Bo'));
  ({ client: cas } = await server.createUser(owner, 'Cas'));
  lab = await ada.createChannel('lab', { principals: [adaId, boId] });
});

afterAll(async () => {
  await server.stop();
});

beforeEach(async () => {
  heard = {
    ada: await Listener.register(ada),
    bo: await Listener.register(bo),
    cas: await Listener.register(cas),
  };
});

function say(content: string, topic = 'engines'): Promise<number> {
  return ada.sendToChannel('lab', topic, content);
}

/** What each was told of, without ids. */
async function told(...types: string[]): Promise<Record<keyof typeof heard, object[]>> {
  const withoutIds = (events: readonly ReceivedEvent[]) => events.map(({ id: _id, ...event }) => event);
  return {
    ada: withoutIds(await heard.ada.newsOf(...types)),
    bo: withoutIds(await heard.bo.newsOf(...types)),
    cas: withoutIds(await heard.cas.newsOf(...types)),
  };
}

/** Ids of the channels that an event is about. */
function channelsOf(event: ReceivedEvent): unknown[] {
  const { stream_id, stream_ids = [], streams = [], subscriptions = [], message_details = {} } = event;
  const messages = Object.values(message_details as object);
  const objects = [...streams, ...subscriptions, ...messages] as { stream_id: number }[];
  return [stream_id, ...stream_ids, ...objects.map((channel) => channel.stream_id)];
}

describe('messages in real time', () => {
  it('reach subscribers, each with their flags', async () => {
    await say('hi @**Bo**');
    const { ada: mine, bo: his, cas: theirs } = await told('message');
    expect(mine).toMatchObject([
      { type: 'message', flags: [], message: { content: 'hi @**Bo**', subject: 'engines' } },
    ]);
    expect(his).toMatchObject([{ type: 'message', flags: ['mentioned'] }]);
    expect((his[0] as ReceivedEvent)['message']).not.toHaveProperty('flags');
    expect(theirs).toEqual([]);
  });

  it('reach the people of a conversation', async () => {
    await ada.must('post', 'messages', { type: 'direct', to: [boId], content: 'just us' });
    const { bo: his, cas: theirs } = await told('message');
    expect(his).toMatchObject([{ message: { type: 'private', content: 'just us' } }]);
    expect(theirs).toEqual([]);
  });

  it('are edited with their former text', async () => {
    const id = await say('old');
    await ada.must('patch', `messages/${id}`, { content: 'new' });
    const { bo: his, cas: theirs } = await told('update_message');
    expect(his).toEqual([
      {
        type: 'update_message',
        user_id: adaId,
        edit_timestamp: expect.any(Number),
        message_id: id,
        message_ids: [id],
        flags: [],
        rendering_only: false,
        stream_id: lab,
        stream_name: 'lab',
        orig_content: 'old',
        orig_rendered_content: '<p>old</p>',
        content: 'new',
        rendered_content: '<p>new</p>',
        is_me_message: false,
      },
    ]);
    expect(theirs).toEqual([]);
  });

  it('are moved to another topic, as one change', async () => {
    const ids = [await say('one', 'moving'), await say('two', 'moving')];
    const move = { topic: 'moved', propagate_mode: 'change_all', send_notification_to_new_thread: false };
    await ada.must('patch', `messages/${ids[0]}`, move);
    const { bo: his } = await told('update_message', 'delete_message');
    expect(his).toEqual([
      expect.objectContaining({
        message_id: ids[0],
        message_ids: ids,
        stream_id: lab,
        orig_subject: 'moving',
        subject: 'moved',
        topic_links: [],
        propagate_mode: 'change_all',
      }),
    ]);
    expect(his[0]).not.toHaveProperty('new_stream_id');
    expect(his[0]).not.toHaveProperty('content');
  });

  it('are deleted by an event for people who lose access by a move', async () => {
    const secret = await ada.createChannel('secret', {
      invite_only: true,
      history_public_to_subscribers: true,
    });
    const id = await say('not for Bo', 'sensitive');
    await told();
    const move = { stream_id: secret, propagate_mode: 'change_all', send_notification_to_new_thread: false };
    await ada.must('patch', `messages/${id}`, move);
    const { ada: mine, bo: his } = await told('update_message', 'delete_message');
    expect(mine).toMatchObject([
      { type: 'update_message', message_ids: [id], stream_id: lab, new_stream_id: secret },
    ]);
    expect(his).toEqual([
      {
        type: 'delete_message',
        message_type: 'stream',
        message_ids: [id],
        stream_id: lab,
        topic: 'sensitive',
      },
    ]);
  });

  it('are deleted for people who had them, one event for each message in older clients', async () => {
    const older = await Listener.register(bo, { client_capabilities: {} });
    const id = await say('regrets');
    await owner.must('delete', `messages/${id}`);
    const { bo: his, cas: theirs } = await told('delete_message');
    const place = { message_type: 'stream', stream_id: lab, topic: 'engines' };
    expect(his).toEqual([{ type: 'delete_message', message_ids: [id], ...place }]);
    expect(await older.newsOf('delete_message')).toMatchObject([{ message_id: id, ...place }]);
    expect(theirs).toEqual([]);
  });

  it('are reacted to', async () => {
    const id = await say('react');
    const older = await Listener.register(ada, { client_capabilities: {} });
    await bo.must('post', `messages/${id}/reactions`, { emoji_name: 'octopus' });
    await bo.must('delete', `messages/${id}/reactions`, { emoji_name: 'octopus' });
    const emoji = { emoji_name: 'octopus', emoji_code: '1f419', reaction_type: 'unicode_emoji' };
    const { ada: mine, cas: theirs } = await told('reaction');
    expect(mine).toEqual([
      { type: 'reaction', op: 'add', message_id: id, user_id: boId, ...emoji },
      { type: 'reaction', op: 'remove', message_id: id, user_id: boId, ...emoji },
    ]);
    expect(theirs).toEqual([]);
    const user = { user_id: boId, email: 'bo@example.com', full_name: 'Bo' };
    const reaction = { type: 'reaction', message_id: id, user_id: boId, ...emoji, user };
    expect(await older.newsOf('reaction')).toEqual([
      { id: expect.any(Number), op: 'add', ...reaction },
      { id: expect.any(Number), op: 'remove', ...reaction },
    ]);
  });

  it('are read, unread and starred on every device of a person, and nobody else’s', async () => {
    const id = await say('flags @**Bo**');
    const flag = (op: string, name: string) =>
      bo.must('post', 'messages/flags', { messages: [id], op, flag: name });
    await flag('add', 'read');
    await flag('remove', 'read');
    await flag('add', 'starred');
    await bo.must('post', 'mark_all_as_read');
    const { bo: his, ada: mine } = await told('update_message_flags');
    const change = (op: string, name: string) => ({
      type: 'update_message_flags',
      op,
      operation: op,
      flag: name,
      messages: [id],
      all: false,
    });
    const details = {
      type: 'stream',
      stream_id: lab,
      topic: 'engines',
      unmuted_stream_msg: true,
      mentioned: true,
    };
    expect(his).toEqual([
      change('add', 'read'),
      { ...change('remove', 'read'), message_details: { [id]: details } },
      change('add', 'starred'),
      { ...change('add', 'read'), messages: [], all: true },
    ]);
    expect(mine).toEqual([]);
  });
});

describe('channels in real time', () => {
  it('appear to everyone who may know of them, with their subscriptions', async () => {
    const request = { subscriptions: [{ name: 'open' }], principals: [adaId, boId] };
    await ada.must('post', 'users/me/subscriptions', request);
    const { bo: his, cas: theirs } = await told('stream', 'subscription');
    expect(his).toMatchObject([
      { type: 'stream', op: 'create', streams: [{ name: 'open' }] },
      {
        type: 'subscription',
        op: 'add',
        subscriptions: [{ name: 'open', subscribers: [adaId, boId], is_muted: false }],
      },
    ]);
    expect(theirs).toMatchObject([
      { type: 'stream', op: 'create', streams: [{ name: 'open' }] },
      { type: 'subscription', op: 'peer_add', user_ids: [adaId, boId] },
    ]);
  });

  it('are unknown to others if they are private, and removed for people who leave them', async () => {
    const id = await ada.createChannel('closed', { principals: [adaId, boId], invite_only: true });
    await told();
    await bo.must('delete', 'users/me/subscriptions', { subscriptions: ['closed'] });
    const { ada: mine, bo: his, cas: theirs } = await told('stream', 'subscription');
    expect(mine).toEqual([{ type: 'subscription', op: 'peer_remove', stream_ids: [id], user_ids: [boId] }]);
    expect(his).toEqual([
      { type: 'subscription', op: 'remove', subscriptions: [{ name: 'closed', stream_id: id }] },
      { type: 'stream', op: 'delete', stream_ids: [id], streams: [{ stream_id: id }] },
    ]);
    expect(theirs).toEqual([]);
  });

  it('send people who leave together the departures of the others', async () => {
    const id = await ada.createChannel('tandem', { principals: [adaId, boId] });
    await told();
    const subscriptions = ['tandem'];
    await owner.must('delete', 'users/me/subscriptions', { subscriptions, principals: [adaId, boId] });
    const peers = (user_ids: number[]) => ({
      type: 'subscription',
      op: 'peer_remove',
      stream_ids: [id],
      user_ids,
    });
    const gone = { type: 'subscription', op: 'remove', subscriptions: [{ name: 'tandem', stream_id: id }] };
    const { ada: mine, bo: his, cas: theirs } = await told('subscription');
    expect(mine).toEqual([gone, peers([boId])]);
    expect(his).toEqual([gone, peers([adaId])]);
    expect(theirs).toEqual([peers([adaId, boId])]);
  });

  it('are sent with their subscribers to people who may now know of them', async () => {
    const id = await ada.createChannel('shy', { principals: [adaId, boId], invite_only: true });
    await told();
    await ada.must('patch', `streams/${id}`, { is_private: false });
    const { ada: mine, cas: theirs } = await told('stream', 'subscription');
    expect(theirs).toMatchObject([
      { type: 'stream', op: 'create', streams: [{ stream_id: id }] },
      { type: 'subscription', op: 'peer_add', stream_ids: [id], user_ids: [adaId, boId] },
    ]);
    expect(mine).toMatchObject([{ type: 'stream', op: 'update', property: 'invite_only' }]);
  });

  it('change for all who know of them', async () => {
    await owner.must('patch', `streams/${lab}`, { description: 'where *engines* are built' });
    const { cas: theirs } = await told('stream');
    expect(theirs).toEqual([
      {
        type: 'stream',
        op: 'update',
        stream_id: lab,
        name: 'lab',
        property: 'description',
        value: 'where *engines* are built',
        rendered_description: '<p>where <em>engines</em> are built</p>',
      },
    ]);
  });

  it('end when they are archived, for clients that do not know archived ones, and begin again', async () => {
    const attic = await ada.createChannel('attic', { principals: [adaId] });
    const older = await Listener.register(bo, { client_capabilities: {} });
    heard.bo = await Listener.register(bo);
    await ada.must('delete', `streams/${attic}`);
    await ada.must('patch', `streams/${attic}`, { description: 'Dust' });
    await ada.must('patch', `streams/${attic}`, { is_archived: false });
    const changes = (events: readonly object[]) =>
      (events as Reply[]).map(({ op, property, value }) => [op, property, value]);
    expect(changes((await told('stream')).bo)).toEqual([
      ['update', 'is_archived', true],
      ['update', 'description', 'Dust'],
      ['update', 'is_archived', false],
    ]);
    const [gone, back, ...more] = await older.newsOf('stream');
    expect(gone).toMatchObject({ op: 'delete', stream_ids: [attic], streams: [{ stream_id: attic }] });
    expect(back).toMatchObject({ op: 'create', streams: [{ stream_id: attic, description: 'Dust' }] });
    expect(more).toEqual([]);
  });

  it('begin again with those who are subscribed, for clients that do not know archived ones', async () => {
    const loft = await ada.createChannel('loft', { principals: [adaId, boId] });
    const older = [bo, cas].map((client) => Listener.register(client, { client_capabilities: {} }));
    const [subscriber, other] = (await Promise.all(older)) as [Listener, Listener];
    heard.bo = await Listener.register(bo);
    await ada.must('delete', `streams/${loft}`);
    await ada.must('patch', `streams/${loft}`, { is_archived: false });
    const subscription = { type: 'subscription', op: 'add' };
    expect((await subscriber.newsOf('stream', 'subscription')).slice(1)).toMatchObject([
      { type: 'stream', op: 'create', streams: [{ stream_id: loft }] },
      { ...subscription, subscriptions: [{ stream_id: loft, subscribers: [adaId, boId] }] },
    ]);
    expect((await other.newsOf('stream', 'subscription')).slice(1)).toMatchObject([
      { type: 'stream', op: 'create', streams: [{ stream_id: loft }] },
      { type: 'subscription', op: 'peer_add', stream_ids: [loft], user_ids: [adaId, boId] },
    ]);
    expect((await told('subscription')).bo).toEqual([]);
  });

  it('are removed, when they are archived, from clients that do not support archived channels', async () => {
    const { id: gilId, client: gil } = await server.createUser(owner, 'Gil');
    const vault = await ada.createChannel('vault', { principals: [adaId, boId] });
    const message = { type: 'channel', to: 'vault', topic: 'gold', content: 'kept' };
    const { id: kept } = await ada.must('post', 'messages', message);
    await bo.must('post', 'messages/flags', { messages: [kept], op: 'add', flag: 'read' });
    await ada.must('delete', `streams/${vault}`);
    const capable = await Listener.register(gil);
    const older = [bo, cas, gil].map((client) => Listener.register(client, { client_capabilities: {} }));
    const listeners = await Promise.all(older);
    await bo.must('patch', `users/me/subscriptions/${vault}`, { property: 'pin_to_top', value: true });
    await bo.must('post', 'user_topics', { stream_id: vault, topic: 'gold', visibility_policy: 3 });
    await bo.must('post', 'messages/flags', { messages: [kept], op: 'remove', flag: 'read' });
    await bo.must('delete', 'users/me/subscriptions', { subscriptions: ['vault'] });
    await owner.must('patch', `users/${gilId}`, { role: 600 });
    await owner.must('patch', `users/${gilId}`, { role: 400 });
    expect((await capable.news()).flatMap(channelsOf)).toContain(vault);
    for (const listener of listeners) {
      expect((await listener.news()).flatMap(channelsOf)).not.toContain(vault);
    }
  });

  it('are muted in two words', async () => {
    await bo.must('patch', `users/me/subscriptions/${lab}`, { property: 'is_muted', value: true });
    const update = { type: 'subscription', op: 'update', stream_id: lab };
    const { ada: mine, bo: his } = await told('subscription');
    expect(his).toEqual([
      { ...update, property: 'in_home_view', value: false },
      { ...update, property: 'is_muted', value: true },
    ]);
    expect(mine).toEqual([]);
  });
});

describe('people in real time', () => {
  it('appear with the groups that they are in', async () => {
    const { id } = await server.createUser(owner, 'Dee');
    const { cas: theirs } = await told('realm_user', 'user_group');
    expect(theirs.slice(0, 3)).toMatchObject([
      {
        type: 'realm_user',
        op: 'add',
        person: { user_id: id, full_name: 'Dee', is_active: true, profile_data: {} },
      },
      { type: 'user_group', op: 'add_members', group_id: 3, user_ids: [id] },
      { type: 'user_group', op: 'add_members', group_id: 4, user_ids: [id] },
    ]);
  });

  it('become guests, who know of fewer channels', async () => {
    const { id, client } = await server.createUser(owner, 'Flo');
    const listener = await Listener.register(client);
    await owner.must('patch', `users/${id}`, { role: 600 });
    const news = await listener.newsOf('realm_user', 'user_group', 'stream');
    expect(news.map(({ type, op }) => [type, op])).toEqual([
      ['realm_user', 'update'],
      ['user_group', 'remove_members'],
      ['user_group', 'remove_members'],
      ['user_group', 'add_members'],
      ['stream', 'delete'],
    ]);
    expect(news.at(-1)!['stream_ids']).toContain(lab);
    await owner.must('patch', `users/${id}`, { role: 400 });
    const [created, ...peers] = await listener.newsOf('stream', 'subscription');
    expect(created).toMatchObject({ op: 'create' });
    expect(new Set(peers.map(({ op }) => op as string))).toEqual(new Set(['peer_add']));
    expect(new Set(peers.map(({ user_ids }) => String(user_ids))).size).toBe(peers.length);
    expect(peers.find(({ stream_ids }) => (stream_ids as number[]).includes(lab))).toMatchObject({
      user_ids: [adaId, boId],
    });
  });

  it('know of the private channels behind a group while they belong to it, or to a group within it', async () => {
    const { id, client } = await server.createUser(owner, 'Gus');
    const group = async (name: string, members: readonly number[]): Promise<number> =>
      (await ada.must('post', 'user_groups/create', { name, description: '', members }))[
        'group_id'
      ] as number;
    const [weavers, apprentices] = [await group('weavers', [adaId]), await group('apprentices', [id])];
    const settings = { invite_only: true, principals: [adaId], can_subscribe_group: weavers };
    const looms = await ada.createChannel('looms', settings);
    const listener = await Listener.register(client);
    await ada.must('post', `user_groups/${weavers}/members`, { add: [id] });
    await ada.must('post', `user_groups/${weavers}/members`, { delete: [id] });
    await ada.must('post', `user_groups/${weavers}/subgroups`, { add: [apprentices] });
    await ada.must('post', `user_groups/${weavers}/subgroups`, { delete: [apprentices] });
    const news = await listener.newsOf('user_group', 'stream', 'subscription');
    expect(news.map(({ type, op, stream_ids }) => [type, op, stream_ids])).toEqual([
      ['user_group', 'add_members', undefined],
      ['stream', 'create', undefined],
      ['subscription', 'peer_add', [looms]],
      ['user_group', 'remove_members', undefined],
      ['stream', 'delete', [looms]],
      ['user_group', 'add_subgroups', undefined],
      ['stream', 'create', undefined],
      ['subscription', 'peer_add', [looms]],
      ['user_group', 'remove_subgroups', undefined],
      ['stream', 'delete', [looms]],
    ]);
    // Clients add those of the second event to the number in the first.
    expect(news[1]!['streams']).toMatchObject([{ stream_id: looms, name: 'looms', subscriber_count: 0 }]);
    expect(news[2]!['user_ids']).toEqual([adaId]);
  });
});

describe('what concerns one person alone', () => {
  it('is sent to their clients: muted topics in both forms unless they support the newer', async () => {
    const newer = await Listener.register(bo, { event_types: ['user_topic', 'muted_topics'] });
    const policy = { stream_id: lab, topic: 'noise', visibility_policy: 1 };
    await bo.must('post', 'user_topics', policy);
    const { ada: mine, bo: his } = await told('user_topic', 'muted_topics');
    const topic = {
      type: 'user_topic',
      stream_id: lab,
      topic_name: 'noise',
      last_updated: expect.any(Number),
      visibility_policy: 1,
    };
    expect(his).toEqual([
      { type: 'muted_topics', muted_topics: [['lab', 'noise', expect.any(Number)]] },
      topic,
    ]);
    expect((await newer.news()).map(({ type }) => type)).toEqual(['user_topic']);
    expect(mine).toEqual([]);
  });

  it('is sent to their clients: drafts, alert words and settings', async () => {
    const draft = { type: '', to: [], topic: '', content: 'half', timestamp: 2000 };
    const { ids } = (await bo.must('post', 'drafts', { drafts: [draft] })) as Reply & { ids: number[] };
    await bo.must('delete', `drafts/${ids[0]}`);
    await bo.must('post', 'users/me/alert_words', { alert_words: ['siren'] });
    await bo.must('patch', 'settings', { twenty_four_hour_time: true });
    const { ada: mine, bo: his } = await told('drafts', 'alert_words', 'user_settings');
    expect(his).toEqual([
      { type: 'drafts', op: 'add', drafts: [{ id: ids[0], ...draft }] },
      { type: 'drafts', op: 'remove', draft_id: ids[0] },
      { type: 'alert_words', alert_words: ['siren'] },
      { type: 'user_settings', op: 'update', property: 'twenty_four_hour_time', value: true },
    ]);
    expect(mine).toEqual([]);
  });

  it('is not told of drafts where they are not shared between devices', async () => {
    const draft = { type: '', to: [], topic: '', content: 'half', timestamp: 2000 };
    await cas.must('post', 'drafts', { drafts: [draft] });
    await told();
    await cas.must('patch', 'settings', { enable_drafts_synchronization: false });
    expect((await told('drafts', 'user_settings')).cas).toEqual([
      { type: 'user_settings', op: 'update', property: 'enable_drafts_synchronization', value: false },
    ]);
    expect((await cas.get('drafts')).status).toBe(400);
  });
});
