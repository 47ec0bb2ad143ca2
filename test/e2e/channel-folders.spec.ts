import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ApiClient, Reply } from '../support/api-client.js';
import { TestServer } from '../support/server.js';

let server: TestServer;
let owner: ApiClient;
let ownerId: number;
let member: ApiClient;

beforeAll(async () => {
  server = await TestServer.start();
  owner = await server.owner();
  ownerId = (await owner.must('get', 'users/me'))['user_id'] as number;
  ({ client: member } = await server.createUser(owner, 'Bo'));
});

afterAll(async () => {
  await server.stop();
});

async function folder(name: string, description?: string): Promise<number> {
  const reply = await owner.must('post', 'channel_folders/create', { name, description });
  return reply['channel_folder_id'] as number;
}

async function folders(query: object = {}): Promise<Reply[]> {
  return (await member.must('get', 'channel_folders', { ...query }))['channel_folders'] as Reply[];
}

async function channel(name: string, settings: object = {}): Promise<number> {
  return owner.createChannel(name, { ...settings });
}

/** What the notification bot said in a topic. */
async function heard(channelId: number, topic: string): Promise<string[]> {
  const narrow = [
    { operator: 'channel', operand: channelId },
    { operator: 'topic', operand: topic },
  ];
  const page = { anchor: 'newest', num_before: 50, num_after: 0, apply_markdown: false, narrow };
  const { messages } = await owner.must('get', 'messages', page);
  return (messages as Reply[]).map((message) => message['content'] as string);
}

describe('channel folders', () => {
  it('are made, listed in their order, changed and archived', async () => {
    const [first, second] = [await folder('Engineering', 'What we *build*'), await folder('Sales')];
    expect(await folders()).toEqual([
      {
        id: first,
        name: 'Engineering',
        description: 'What we *build*',
        rendered_description: '<p>What we <em>build</em></p>',
        creator_id: ownerId,
        date_created: expect.any(Number),
        is_archived: false,
        order: 0,
      },
      expect.objectContaining({ id: second, name: 'Sales', order: 1 }),
    ]);
    await owner.must('patch', 'channel_folders', { order: [second, first] });
    await owner.must('patch', `channel_folders/${second}`, { name: 'Trade', description: 'Goods' });
    expect(await folders()).toMatchObject([
      { id: second, name: 'Trade', description: 'Goods', order: 0 },
      { id: first, order: 1 },
    ]);
    await owner.must('patch', `channel_folders/${second}`, { is_archived: true });
    expect((await folders()).map(({ id }) => id as number)).toEqual([first]);
    expect(await folders({ include_archived: true })).toMatchObject([{ id: second, is_archived: true }, {}]);
  });

  it('cause client events; changes of one request are in one event', async () => {
    const id = await folder('Plans');
    const queue = await member.must('post', 'register', { event_types: ['channel_folder'] });
    await owner.must('patch', `channel_folders/${id}`, { name: 'Aims', description: 'What *next*' });
    await owner.must('patch', `channel_folders/${id}`, { is_archived: true });
    const asked = { queue_id: queue['queue_id'], last_event_id: -1, dont_block: true };
    const { events } = await member.must('get', 'events', asked);
    const update = { type: 'channel_folder', op: 'update', channel_folder_id: id };
    const rendered_description = '<p>What <em>next</em></p>';
    const told = events as readonly { readonly data: object }[];
    const changes = { name: 'Aims', description: 'What *next*', rendered_description };
    expect(Object.assign({}, ...told.map(({ data }) => data))).toEqual({ ...changes, is_archived: true });
    // EventStoreDB may hand out by themselves events that were appended together.
    if (process.env['E2E_STORES'] === 'servers') return;
    expect(told.map(({ data }) => data)).toEqual([changes, { is_archived: true }]);
    expect(told[0]).toMatchObject(update);
  });

  it('hold channels, which keep them from being archived', async () => {
    const id = await folder('Held');
    const inside = await channel('inside', { folder_id: id });
    const moved = await channel('moved');
    await owner.must('patch', `streams/${moved}`, { folder_id: id });
    for (const place of [inside, moved]) {
      expect((await member.must('get', `streams/${place}`))['stream']).toMatchObject({ folder_id: id });
    }
    const archived = await owner.patch(`channel_folders/${id}`, { is_archived: true });
    expect(archived.body).toMatchObject({ code: 'BAD_REQUEST' });
    for (const place of [inside, moved]) await owner.must('patch', `streams/${place}`, { folder_id: null });
    await owner.must('patch', `channel_folders/${id}`, { is_archived: true });
    expect((await owner.patch(`streams/${moved}`, { folder_id: id })).status).toBe(400);
    expect((await owner.patch(`streams/${moved}`, { folder_id: 999 })).status).toBe(400);
  });

  it('are refused under names that will not do, in orders that are not whole, and to others', async () => {
    const id = await folder('Taken');
    const attempts = [
      await owner.post('channel_folders/create', { name: 'taken' }),
      await owner.post('channel_folders/create', { name: ' ' }),
      await owner.post('channel_folders/create', { name: 'x'.repeat(61) }),
      await owner.patch('channel_folders/999', { name: 'x' }),
      await owner.patch('channel_folders', { order: [id] }),
    ];
    expect(attempts.map(({ status, body }) => [status, body.code])).toEqual(
      attempts.map(() => [400, 'BAD_REQUEST']),
    );
    expect((await owner.post('channel_folders/create')).body.code).toBe('REQUEST_VARIABLE_MISSING');
    const refused = [
      await member.post('channel_folders/create', { name: 'Mine' }),
      await member.patch(`channel_folders/${id}`, { name: 'Mine' }),
      await member.patch('channel_folders', { order: [id] }),
    ];
    expect(refused.map(({ body }) => body.code)).toEqual(refused.map(() => 'UNAUTHORIZED_PRINCIPAL'));
  });
});

describe('default channels', () => {
  it('are chosen, and subscribe those who join from then on', async () => {
    const [chosen, dropped] = [await channel('lobby'), await channel('attic')];
    for (const stream_id of [chosen, dropped]) await owner.must('post', 'default_streams', { stream_id });
    await owner.must('post', 'default_streams', { stream_id: chosen });
    await owner.must('delete', 'default_streams', { stream_id: dropped });
    const { client } = await server.createUser(owner, 'Cy');
    const { subscriptions } = await client.must('get', 'users/me/subscriptions');
    expect((subscriptions as Reply[]).map(({ name }) => name as string)).toEqual(['lobby']);
  });

  it('are never private, and for administrators to choose', async () => {
    const hidden = await channel('cellar', { invite_only: true });
    expect((await owner.post('default_streams', { stream_id: hidden })).status).toBe(400);
    expect((await owner.post('default_streams', { stream_id: 999 })).status).toBe(400);
    const open = await channel('hall');
    for (const stream_id of [open, hidden, 999]) {
      for (const verb of ['post', 'delete'] as const) {
        const { status, body } = await member[verb]('default_streams', { stream_id });
        expect([status, body.code, body.msg]).toEqual([
          400,
          'UNAUTHORIZED_PRINCIPAL',
          'Must be an organization administrator',
        ]);
      }
    }
  });
});

describe('announcements', () => {
  it('tell of new channels where the organization wants it, unless they are private or nobody asked', async () => {
    const news = await channel('news');
    await owner.must('patch', 'realm', { new_stream_announcements_stream_id: news });
    await channel('loud', { announce: true });
    await channel('hidden', { announce: true, invite_only: true });
    await channel('quiet', {});
    expect(await heard(news, 'new channels')).toEqual([
      `@_**${(await owner.must('get', 'users/me'))['full_name']}|${ownerId}** created a new channel #**loud**.`,
    ]);
    await owner.must('patch', 'realm', { new_stream_announcements_stream_id: -1 });
    await channel('louder', { announce: true });
    expect(await heard(news, 'new channels')).toHaveLength(1);
  });

  it('name all channels of one request in one message, which is already read for their creator', async () => {
    const news = await channel('headlines');
    const single = await channel('single', { topics_policy: 'empty_topic_only' });
    await owner.must('patch', 'realm', { new_stream_announcements_stream_id: news });
    await owner.must('post', 'users/me/subscriptions', {
      subscriptions: [{ name: 'left' }, { name: 'right' }],
      announce: true,
    });
    await owner.must('patch', 'realm', { new_stream_announcements_stream_id: single });
    await channel('middle', { announce: true });
    await owner.must('patch', 'realm', { new_stream_announcements_stream_id: -1 });
    expect(await heard(news, 'new channels')).toEqual([
      expect.stringMatching(/ created the following channels: #\*\*left\*\*, #\*\*right\*\*\.$/),
    ]);
    expect(await heard(single, '')).toHaveLength(2);
    const unread = { anchor: 'newest', num_before: 100, num_after: 0, narrow: [['is', 'unread']] };
    const { messages } = await owner.must('get', 'messages', unread);
    expect((messages as Reply[]).filter(({ stream_id: id }) => id === news || id === single)).toEqual([]);
  });

  it('tell of new people where the organization wants it', async () => {
    const arrivals = await channel('arrivals');
    await owner.must('patch', 'realm', { signup_announcements_stream_id: arrivals });
    const { id } = await server.createUser(owner, 'Di');
    await member.must('post', 'bots', { full_name: 'Relay', short_name: 'relay', bot_type: 1 });
    expect(await heard(arrivals, 'signups')).toEqual([`@_**Di|${id}** joined this organization.`]);
  });

  it('are not sent to channels if the organization has turned them off', async () => {
    await owner.must('patch', 'realm', { send_channel_events_messages: false });
    const place = await channel('silent');
    await owner.must('patch', `streams/${place}`, { description: 'Nothing is said' });
    expect(await heard(place, 'channel events')).toEqual([]);
    await owner.must('patch', 'realm', { send_channel_events_messages: true });
    await owner.must('patch', `streams/${place}`, { description: 'Something is said' });
    expect(await heard(place, 'channel events')).toHaveLength(1);
  });
});
