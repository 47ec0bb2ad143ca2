import { beforeAll, describe, expect, it } from '@jest/globals';
import { ada, adaId, bo, boId, owner, server } from '../support/ada-and-bo.js';
import { type Reply, type ApiClient } from '../support/api-client.js';

let channelId: number;
let hiddenId: number;

beforeAll(async () => {
  channelId = await channel('engines', { principals: [adaId, boId] });
  hiddenId = await channel('secrets', { invite_only: true });
});

async function channel(name: string, settings: object): Promise<number> {
  return owner.createChannel(name, { ...settings });
}

/** What a client that listens from here on is told of some types, until it is asked. */
async function listening(
  client: ApiClient,
  event_types: readonly string[],
  settings: object = {},
): Promise<() => Promise<Reply[]>> {
  const client_capabilities = { notification_settings_null: true, stream_typing_notifications: true };
  const registered = await client.must('post', 'register', { event_types, client_capabilities, ...settings });
  const { queue_id, last_event_id } = registered;
  return async () => {
    const { events } = await client.must('get', 'events', { queue_id, last_event_id, dont_block: true });
    return (events as Reply[]).map(({ id: _id, ...event }) => event);
  };
}

const typing = ['typing'];

describe('typing', () => {
  it('is sent to everyone in a direct conversation, including the person who types', async () => {
    const [told, own, others] = [
      await listening(bo, typing),
      await listening(ada, typing),
      await listening(owner, typing),
    ];
    await ada.must('post', 'typing', { op: 'start', to: [boId] });
    await ada.must('post', 'typing', { type: 'private', op: 'stop', to: [boId, adaId] });
    const common = {
      type: 'typing',
      message_type: 'direct',
      sender: { user_id: adaId, email: 'ada@example.com' },
      recipients: [
        { user_id: adaId, email: 'ada@example.com' },
        { user_id: boId, email: 'bo@example.com' },
      ],
    };
    const events = [
      { ...common, op: 'start' },
      { ...common, op: 'stop' },
    ];
    expect(await told()).toEqual(events);
    expect(await own()).toEqual(events);
    expect(await others()).toEqual([]);
  });

  it('is sent to the subscribers of a channel whose clients support it', async () => {
    const told = await listening(bo, typing);
    const old = await listening(bo, typing, { client_capabilities: { notification_settings_null: true } });
    const type = 'stream';
    await ada.must('post', 'typing', { type, op: 'start', stream_id: channelId, topic: ' notes ' });
    await ada.must('post', 'typing', { type: 'channel', op: 'stop', stream_id: channelId, topic: '' });
    const sender = { user_id: adaId, email: 'ada@example.com' };
    const common = { type: 'typing', message_type: 'stream', sender, stream_id: channelId };
    expect(await told()).toEqual([
      { ...common, op: 'start', topic: 'notes' },
      { ...common, op: 'stop', topic: 'general chat' },
    ]);
    expect(await old()).toEqual([]);
  });

  it('is not sent to people who turned off receiving it', async () => {
    const { client, id } = await server.createUser(owner, 'Cas');
    const told = await listening(client, typing);
    await client.must('patch', 'settings', { receives_typing_notifications: false });
    await ada.must('post', 'typing', { op: 'start', to: [id] });
    expect(await told()).toEqual([]);
  });

  it('is not sent about people who turned off sending it', async () => {
    const { client } = await server.createUser(owner, 'Dee');
    await client.must('patch', 'settings', {
      send_private_typing_notifications: false,
      send_stream_typing_notifications: false,
    });
    const direct = await client.post('typing', { op: 'start', to: [boId] });
    expect([direct.status, direct.body.msg]).toEqual([
      400,
      'User has disabled typing notifications for direct messages',
    ]);
    const place = { type: 'channel', stream_id: channelId, topic: 'notes' };
    const inChannel = await client.post('typing', { op: 'start', ...place });
    expect([inChannel.status, inChannel.body.msg]).toEqual([
      400,
      'User has disabled typing notifications for channel messages',
    ]);
  });

  it.each([
    [{ to: [1] }, 'REQUEST_VARIABLE_MISSING'],
    [{ op: 'pause', to: [1] }, 'BAD_REQUEST'],
    [{ op: 'start' }, 'REQUEST_VARIABLE_MISSING'],
    [{ op: 'start', to: [] }, 'BAD_REQUEST'],
    [{ op: 'start', to: [99_999] }, 'BAD_REQUEST'],
    [{ op: 'start', to: 'bo@example.com' }, 'BAD_REQUEST'],
    [{ op: 'start', type: 'letter', to: [1] }, 'BAD_REQUEST'],
    [{ op: 'start', type: 'stream', topic: 'x' }, 'REQUEST_VARIABLE_MISSING'],
    [{ op: 'start', type: 'stream', stream_id: 1 }, 'REQUEST_VARIABLE_MISSING'],
    [{ op: 'start', type: 'stream', stream_id: 99_999, topic: 'x' }, 'STREAM_DOES_NOT_EXIST'],
  ])('is refused as %j', async (parameters, code) => {
    const { status, body } = await ada.post('typing', parameters);
    expect([status, body.code]).toEqual([400, code]);
  });

  it('is not told where one may not send', async () => {
    const place = { type: 'channel', op: 'start', stream_id: hiddenId, topic: 'x' };
    expect((await ada.post('typing', place)).status).toBe(400);
    const { id } = await server.createUser(owner, 'Eve');
    await owner.must('delete', `users/${id}`);
    expect((await ada.post('typing', { op: 'start', to: [id] })).status).toBe(400);
  });
});

describe('the notification that somebody edits a message', () => {
  const editing = ['typing_edit_message'];
  const told = (messageId: number, recipient: object): object => ({
    type: 'typing_edit_message',
    op: 'start',
    sender_id: adaId,
    message_id: messageId,
    recipient,
  });

  it('is sent to the people of a direct conversation', async () => {
    const { id } = await ada.must('post', 'messages', { type: 'direct', to: [boId], content: 'Hello' });
    const [bos, owners] = [await listening(bo, editing), await listening(owner, editing)];
    await ada.must('post', `messages/${id}/typing`, { op: 'start' });
    expect(await bos()).toEqual([told(id as number, { type: 'direct', user_ids: [adaId, boId] })]);
    expect(await owners()).toEqual([]);
  });

  it('is sent to the subscribers of a channel who can see the message', async () => {
    const shared = { invite_only: true, history_public_to_subscribers: false };
    const id = await channel('bridge', { ...shared, principals: [adaId, boId] });
    const message = await ada.sendToChannel('bridge', 'course', 'North');
    const late = await server.createUser(owner, 'Ivy');
    await ada.must('post', 'users/me/subscriptions', {
      subscriptions: [{ name: 'bridge' }],
      principals: [late.id],
    });
    const [bos, lates] = [await listening(bo, editing), await listening(late.client, editing)];
    await ada.must('post', `messages/${message}/typing`, { op: 'start' });
    expect(await bos()).toEqual([told(message, { type: 'channel', channel_id: id, topic: 'course' })]);
    expect(await lates()).toEqual([]);
  });

  it('is not sent to people who turned off receiving it, nor about people who turned off sending it', async () => {
    const { client, id } = await server.createUser(owner, 'Joy');
    const { id: message } = await client.must('post', 'messages', { type: 'direct', to: [id], content: 'x' });
    await client.must('patch', 'settings', { receives_typing_notifications: false });
    const heard = await listening(client, editing);
    await client.must('post', `messages/${message}/typing`, { op: 'start' });
    expect(await heard()).toEqual([]);
    await client.must('patch', 'settings', { send_private_typing_notifications: false });
    const { status, body } = await client.post(`messages/${message}/typing`, { op: 'start' });
    expect([status, body.msg]).toEqual([400, 'User has disabled typing notifications for direct messages']);
  });

  it('is not sent in a channel of more than a hundred people', async () => {
    const people = await Promise.all(
      Array.from({ length: 99 }, (_, number) => server.createUser(owner, `Crowd ${number}`)),
    );
    const principals = [...people.map(({ id }) => id), adaId, boId];
    const stream_id = await channel('crowd', { principals });
    const message = await ada.sendToChannel('crowd', 'noise', 'Hush');
    const bos = await listening(bo, [...typing, ...editing]);
    await ada.must('post', `messages/${message}/typing`, { op: 'start' });
    await ada.must('post', 'typing', { type: 'channel', op: 'start', stream_id, topic: 'noise' });
    expect(await bos()).toEqual([]);
  });

  it('is refused if one may not edit, with the same error for hidden and missing messages', async () => {
    const own = await ada.sendToChannel('engines', 'notes', 'Mine');
    const hidden = await owner.sendToChannel('secrets', 'plans', 'Hidden');
    const refusals = [];
    for (const [client, path, op] of [
      [bo, own, 'start'],
      [ada, hidden, 'start'],
      [ada, 99_999, 'start'],
      [ada, own, 'pause'],
    ] as const) {
      const { status, body } = await client.post(`messages/${path}/typing`, { op });
      refusals.push([status, body.msg]);
    }
    expect(refusals).toEqual([
      [400, "You don't have permission to edit this message"],
      [400, 'Invalid message(s)'],
      [400, 'Invalid message(s)'],
      [400, expect.stringContaining('op')],
    ]);
  });
});

describe('presence', () => {
  const presence = ['presence'];

  it('is sent at once when somebody returns, in the form that each client supports', async () => {
    const { client, id } = await server.createUser(owner, 'Fay');
    const full = await listening(bo, presence);
    const slim = await listening(bo, presence, { slim_presence: true });
    const simplified_presence_events = true;
    const newest = await listening(bo, presence, { client_capabilities: { simplified_presence_events } });
    for (const status of ['idle', 'active', 'active']) {
      await client.must('post', 'users/me/presence', { status });
    }
    const website = {
      client: 'website',
      status: 'active',
      timestamp: expect.any(Number),
      pushable: false,
    };
    const event = {
      type: 'presence',
      user_id: id,
      server_timestamp: expect.any(Number),
      presence: { website },
    };
    expect(await full()).toEqual([{ ...event, email: 'fay@example.com' }]);
    expect(await slim()).toEqual([event]);
    const times = { active_timestamp: expect.any(Number), idle_timestamp: expect.any(Number) };
    expect(await newest()).toEqual([
      { type: 'presence', server_timestamp: expect.any(Number), presences: { [id]: times } },
    ]);
  });

  it('is sent as ended for somebody who turns it off', async () => {
    const { client, id } = await server.createUser(owner, 'Gus');
    await client.must('post', 'users/me/presence', { status: 'active' });
    const told = await listening(bo, presence);
    await client.must('patch', 'settings', { presence_enabled: false });
    const [event] = await told();
    expect(event).toMatchObject({ user_id: id, presence: { website: { status: 'idle' } } });
    const { server_timestamp, presence: ended } = event as Reply;
    expect((server_timestamp as number) - (ended['website']['timestamp'] as number)).toBeGreaterThan(200);
  });

  it('is sent again for somebody who turns it on again', async () => {
    const { client, id } = await server.createUser(owner, 'Hal');
    await client.must('post', 'users/me/presence', { status: 'active' });
    await client.must('patch', 'settings', { presence_enabled: false });
    const told = await listening(bo, presence);
    await client.must('patch', 'settings', { presence_enabled: true });
    expect(await told()).toMatchObject([{ user_id: id, presence: { website: { status: 'active' } } }]);
  });
});
