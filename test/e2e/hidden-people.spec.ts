import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ApiClient, type Reply } from '../support/api-client.js';
import { CommandLine } from '../support/command-line.js';
import { eventually } from '../support/eventually.js';
import { Listener, usualCapabilities, type ReceivedEvent } from '../support/listener.js';
import { FakeRelay } from '../support/push-relay.js';
import { ServerStores } from '../support/server-stores.js';
import { TestServer } from '../support/server.js';

interface Person {
  readonly id: number;
  readonly client: ApiClient;
}

let stores: ServerStores;
let server: TestServer;
let tool: CommandLine;
let relay: FakeRelay;
let owner: ApiClient;
/** Sees whom they share a channel with, and nobody else. */
let guest: Person;
/** Subscribed to the guest's channel. */
let colleague: Person;
/** A public channel that the guest is in. */
let shared: number;

beforeAll(async () => {
  relay = await FakeRelay.start();
  stores = await ServerStores.open();
  server = await TestServer.start({
    stores,

    environment: { PUSH_RELAY_URL: relay.url, PUSH_RELAY_TOKEN: 'a-token-of-the-relay' },
  });
  tool = new CommandLine({ DATA_DIR: server.directory, ...stores.environment });
  owner = await server.owner();
  guest = await admitGuest('Gus');
  colleague = await server.createUser(owner, 'Cleo');
  shared = await owner.createChannel('shared', { principals: [guest.id, colleague.id] });
  await owner.must('patch', 'realm', { can_access_all_users_group: { new: 3 } });
});

afterAll(async () => {
  await server.stop();
  await relay.stop();
  await stores.close();
});

async function admitGuest(name: string): Promise<Person> {
  const admitted = await server.createUser(owner, name);
  await owner.must('patch', `users/${admitted.id}`, { role: 600 });
  return admitted;
}

let strangers = 0;

/** Somebody whom the guest does not know. */
async function admitStranger(
  name = `Stranger ${(strangers += 1)}`,
): Promise<Person & { readonly name: string }> {
  return { ...(await server.createUser(owner, name)), name };
}

/** Whom a client of the guest's lists from the start, by id. */
async function listed(
  client: ApiClient,
  list: 'realm_users' | 'realm_non_active_users' = 'realm_users',
  capabilities: object = {},
): Promise<ReadonlyMap<number, Reply>> {
  const state = await client.must('post', 'register', {
    fetch_event_types: ['realm_user'],
    client_capabilities: { ...usualCapabilities, user_list_incomplete: false, ...capabilities },
  });
  return new Map((state[list] as Reply[]).map((user) => [user['user_id'] as number, user]));
}

function placeholder(id: number): object {
  return {
    user_id: id,
    full_name: 'Unknown user',
    email: `user${id}@palimpsest.invalid`,
    delivery_email: null,
    avatar_url: '/static/images/unknown-user-avatar.png',
    avatar_version: 1,
    role: 400,
    is_admin: false,
    is_owner: false,
    is_guest: false,
    is_bot: false,
    is_imported_stub: false,
    bot_type: null,
    bot_owner_id: null,
    timezone: '',
    date_joined: '1970-01-01T00:00:00+00:00',
    profile_data: {},
  };
}

function say(by: ApiClient, channel: number, content: string): Promise<Reply> {
  return by.must('post', 'messages', { type: 'channel', to: channel, topic: 'greetings', content });
}

function refusal({ status, body }: { readonly status: number; readonly body: Reply }): unknown[] {
  return [status, body['code'], body['msg']];
}

function write(by: ApiClient, to: readonly number[], content = 'hello'): Promise<Reply> {
  return by.must('post', 'messages', { type: 'direct', to, content });
}

function senderOf({ sender_id, sender_full_name, sender_email, avatar_url }: Reply): object {
  return { sender_id, sender_full_name, sender_email, avatar_url };
}

function unknownSender(id: number): object {
  return {
    sender_id: id,
    sender_full_name: 'Unknown user',
    sender_email: `user${id}@palimpsest.invalid`,
    avatar_url: '/static/images/unknown-user-avatar.png',
  };
}

/** What was told of people and of messages and subscriptions, shortly. */
function shortly(events: readonly ReceivedEvent[]): string[] {
  return events.flatMap(({ type, op, person, message }) => {
    if (type === 'realm_user') return [`${op} ${person.user_id} ${person.full_name ?? ''}`.trim()];
    if (type === 'message') return [`message by ${message.sender_full_name}`];
    return type === 'subscription' && op !== 'update' ? [`subscription ${op}`] : [];
  });
}

describe('whom a guest does not know', () => {
  it('is a placeholder in the list of people, or left out where the client takes a list with gaps', async () => {
    const stranger = await admitStranger();
    const people = await listed(guest.client);
    expect(people.get(stranger.id)).toEqual(placeholder(stranger.id));
    expect(people.get(colleague.id)).toMatchObject({ full_name: 'Cleo' });
    expect(people.get(guest.id)).toMatchObject({ full_name: 'Gus', is_guest: true });
    const some = await listed(guest.client, 'realm_users', { user_list_incomplete: true });
    expect([some.has(stranger.id), some.has(colleague.id), some.has(guest.id)]).toEqual([false, true, true]);
    expect((await listed(colleague.client)).get(stranger.id)).toMatchObject({ full_name: stranger.name });
  });

  it('looks active where the account is not, so that nothing is told of it', async () => {
    const stranger = await admitStranger();
    await owner.must('delete', `users/${stranger.id}`);
    expect((await listed(guest.client)).get(stranger.id)).toEqual(placeholder(stranger.id));
    expect((await listed(guest.client, 'realm_non_active_users')).has(stranger.id)).toBe(false);
    expect((await listed(colleague.client, 'realm_non_active_users')).has(stranger.id)).toBe(true);
  });

  it('is not among the people that they list, and not to be looked up', async () => {
    const stranger = await admitStranger();
    const ids = async (parameters = {}): Promise<unknown> =>
      ((await guest.client.must('get', 'users', parameters))['members'] as Reply[]).map(
        (user) => user['user_id'],
      );
    expect(await ids()).not.toContain(stranger.id);
    expect(await ids()).toEqual(expect.arrayContaining([guest.id, colleague.id]));
    expect(await ids({ user_ids: [stranger.id, colleague.id] })).toEqual([colleague.id]);
    const email = stranger.client.credentials!.email;
    for (const path of [
      `users/${stranger.id}`,
      `users/${email}`,
      `users/${stranger.id}/status`,
      `users/${stranger.id}/channels`,
      `users/${stranger.id}/subscriptions/${shared}`,
    ]) {
      const { status, body } = await guest.client.get(path);
      expect([path, status, body.code]).toEqual([path, 400, 'BAD_REQUEST']);
      expect([path, (await colleague.client.get(path)).status]).toEqual([path, 200]);
    }
    await guest.client.must('get', `users/${colleague.id}`);
  });

  it('has the picture of nobody', async () => {
    const stranger = await admitStranger();
    const pictureFor = async ({ client }: Person): Promise<string | null> => {
      const { email, key } = client.credentials!;
      const headers = { authorization: `Basic ${btoa(`${email}:${key}`)}` };
      const reply = await fetch(`${server.site}/avatar/${stranger.id}`, { headers, redirect: 'manual' });
      return reply.headers.get('location');
    };
    expect(await pictureFor(guest)).toContain('/static/images/unknown-user-avatar.png');
    expect(await pictureFor(colleague)).not.toContain('unknown-user-avatar');
  });

  it('is unknown as the sender of messages, in pages and in events', async () => {
    const stranger = await admitStranger();
    const listeners = await Promise.all(
      [guest, colleague].map(({ client }) => Listener.register(client, { client_gravatar: false })),
    );
    const { id } = await say(stranger.client, shared, 'from elsewhere');
    const seen = async ({ client }: Person): Promise<object> =>
      senderOf((await client.must('get', `messages/${id}`))['message'] as Reply);
    expect(await seen(guest)).toEqual(unknownSender(stranger.id));
    expect(await seen(colleague)).toMatchObject({ sender_full_name: stranger.name });
    expect(await seen(guest)).toEqual(unknownSender(stranger.id));
    const page = await guest.client.must('get', 'messages', { message_ids: [id] });
    expect((page['messages'] as Reply[]).map(senderOf)).toEqual([unknownSender(stranger.id)]);
    const [told, others] = await Promise.all(listeners.map((listener) => listener.newsOf('message')));
    expect(told?.map(({ message }) => senderOf(message as Reply))).toEqual([unknownSender(stranger.id)]);
    expect(others?.map(({ message }) => message.sender_full_name)).toEqual([stranger.name]);
  });

  it('is unknown in reminders: as the sender of the message, and by name in the note', async () => {
    const stranger = await admitStranger();
    const { id: message_id } = await say(stranger.client, shared, 'remember this');
    const board = await owner.createChannel('board', { invite_only: true });
    const reminded = async ({ client }: Person, note: string): Promise<Reply> => {
      const scheduled_delivery_timestamp = Math.ceil(Date.now() / 1000) + 10_000;
      await client.must('post', 'reminders', { message_id, scheduled_delivery_timestamp, note });
      return ((await client.must('get', 'reminders'))['reminders'] as Reply[]).at(-1)!;
    };
    const unnamed = await reminded(guest, '');
    expect(unnamed['content']).not.toContain(stranger.name);
    expect(unnamed['content']).toContain('Somebody [said](');
    const guessed = await reminded(guest, `@_**${stranger.name}** in #**board**`);
    expect(guessed['rendered_content']).not.toContain(`data-user-id="${stranger.id}"`);
    expect(guessed['rendered_content']).not.toContain(`data-stream-id="${board}"`);
    const known = await reminded(colleague, `@_**${stranger.name}** in #**board**`);
    expect(known['rendered_content']).toContain(`data-user-id="${stranger.id}"`);
    expect(known['rendered_content']).not.toContain(`data-stream-id="${board}"`);
  });

  it('is unknown in what devices are told', async () => {
    const stranger = await admitStranger();
    const { device_id: device } = await guest.client.must('post', 'register_client_device');
    const key = randomBytes(32);
    await guest.client.must('post', 'mobile_push/register', {
      device_id: device,
      token_kind: 'fcm',
      token_id: 'dG9rZW4=',
      push_key_id: 7,
      push_key: Buffer.concat([Buffer.from([0x31]), key]).toString('base64'),
      bouncer_public_key: 'public-key',
      encrypted_push_registration: 'sealed-token',
    });
    await say(stranger.client, shared, 'You there, @**Gus**');
    const [notification] = await eventually(
      () => Promise.resolve(relay.readBy(device as number, key)),
      (found) => found.length > 0,
    );
    expect(notification).toMatchObject({
      sender_id: stranger.id,
      sender_full_name: 'Unknown user',
      sender_avatar_url: `${server.site}/static/images/unknown-user-avatar.png`,
    });
  });

  it('cannot be written to by them, nor mentioned', async () => {
    const stranger = await admitStranger();
    const refused = [
      await guest.client.post('messages', { type: 'direct', to: [stranger.id], content: 'hello' }),
      await guest.client.post('messages', {
        type: 'direct',
        to: [stranger.id, colleague.id],
        content: 'hello',
      }),
      await guest.client.post('messages', {
        type: 'direct',
        to: [stranger.client.credentials!.email],
        content: 'hello',
      }),
    ];
    expect(refused.map(({ status, body }) => [status, body.code])).toEqual(
      refused.map(() => [400, 'BAD_REQUEST']),
    );
    const text = `@**${stranger.name}** @**${stranger.name}|${stranger.id}** @**Cleo**`;
    const id = (await say(guest.client, shared, text))['id'] as number;
    const html = async (messageId: number): Promise<string> =>
      ((await colleague.client.must('get', `messages/${messageId}`))['message'] as Reply)[
        'content'
      ] as string;
    expect(await html(id)).toContain(`<p>@<strong>${stranger.name}</strong>`);
    expect((await html(id)).match(/class="user-mention"/g)).toHaveLength(1);
    await guest.client.must('patch', `messages/${id}`, { content: `again @**${stranger.name}**` });
    expect(await html(id)).not.toContain('user-mention');
    const shown = await guest.client.must('post', 'messages/render', { content: `@**${stranger.name}**` });
    expect(shown['rendered']).not.toContain('user-mention');
    const others = await say(colleague.client, shared, `@**${stranger.name}**`);
    expect(await html(others['id'] as number)).toContain('user-mention');
  });

  it('is not to be found by guesses of an address: the answers are those for nobody', async () => {
    const stranger = await admitStranger();
    const email = stranger.client.credentials!.email;
    const attempts = {
      presence: (whom: string) => guest.client.get(`users/${whom}/presence`),
      subscribing: (whom: string) =>
        guest.client.post('users/me/subscriptions', {
          subscriptions: [{ name: 'shared' }],
          principals: [whom],
        }),
      changing: (whom: string) => guest.client.patch(`users/${whom}`, { full_name: 'Guessed' }),
    };
    await owner.must('get', `users/${email}`);
    for (const [name, attempt] of Object.entries(attempts)) {
      const guessed = refusal(await attempt(email));
      const nobody = refusal(await attempt('nobody@example.com'));
      expect([name, guessed]).toEqual([name, nobody]);
      expect([name, guessed[0]]).toEqual([name, 400]);
    }
  });

  it('is unknown to whoever types to them, also when the account is deactivated', async () => {
    const stranger = await admitStranger();
    const type = () => guest.client.post('typing', { op: 'start', to: [stranger.id] });
    const active = refusal(await type());
    expect(active[0]).toBe(400);
    await owner.must('delete', `users/${stranger.id}`);
    expect(refusal(await type())).toEqual(active);
  });

  it('is unknown as somebody who reacts, where clients get the person with the reaction', async () => {
    const stranger = await admitStranger();
    const { id } = await say(stranger.client, shared, 'from elsewhere');
    const older = await Promise.all(
      [guest, colleague].map(({ client }) => Listener.register(client, { client_capabilities: {} })),
    );
    await stranger.client.must('post', `messages/${String(id)}/reactions`, { emoji_name: 'octopus' });
    const [told, others] = await Promise.all(older.map((listener) => listener.newsOf('reaction')));
    expect(told?.map(({ user }) => user)).toEqual([
      { user_id: stranger.id, email: `user${stranger.id}@palimpsest.invalid`, full_name: 'Unknown user' },
    ]);
    expect(others?.map(({ user }) => (user as Reply)['full_name'])).toEqual([stranger.name]);
    await write(stranger.client, [guest.id]);
    await older[0]!.news();
    await stranger.client.must('delete', `messages/${String(id)}/reactions`, { emoji_name: 'octopus' });
    expect((await older[0]!.newsOf('reaction')).map(({ user }) => (user as Reply)['full_name'])).toEqual([
      stranger.name,
    ]);
  });

  it('is a placeholder when the account is new, or not told of at all', async () => {
    const whole = { client_capabilities: { ...usualCapabilities, user_list_incomplete: false } };
    const listener = await Listener.register(guest.client, whole);
    const withGaps = await Listener.register(guest.client);
    const stranger = await admitStranger();
    expect((await listener.newsOf('realm_user')).map(({ op, person }) => [op, person])).toEqual([
      ['add', { ...placeholder(stranger.id), is_active: true }],
    ]);
    expect(await withGaps.newsOf('realm_user')).toEqual([]);
  });

  it('says nothing new to them of name, settings, status or profile, as those do whom they know', async () => {
    const stranger = await admitStranger();
    const listener = await Listener.register(guest.client);
    const change = async ({ client }: Person, name: string): Promise<void> => {
      await client.must('patch', 'settings', { full_name: name, timezone: 'Europe/Rome' });
      await client.must('patch', 'settings', { email_address_visibility: 4 });
      await client.must('post', 'users/me/status', { status_text: 'away' });
    };
    await change(stranger, 'Renamed');
    expect(await listener.newsOf('realm_user', 'user_status')).toEqual([]);
    await change(colleague, 'Cleo');
    await colleague.client.must('patch', 'settings', { full_name: 'Cleopatra' });
    const told = await listener.newsOf('realm_user', 'user_status');
    expect(told.map(({ type, op, person }) => [type, op, person?.user_id])).toEqual(
      expect.arrayContaining([
        ['realm_user', 'update', colleague.id],
        ['user_status', undefined, undefined],
      ]),
    );
    const statuses = (await guest.client.must('post', 'register', { fetch_event_types: ['user_status'] }))[
      'user_status'
    ] as object;
    expect(Object.keys(statuses)).toEqual([String(colleague.id)]);
  });

  it('has no address in presence, neither in lists nor in events', async () => {
    const stranger = await admitStranger();
    await colleague.client.must('patch', 'settings', { email_address_visibility: 1 });
    const addresses = [colleague.client, stranger.client].map(({ credentials }) => credentials!.email);
    const queue = await guest.client.must('post', 'register', {
      event_types: ['presence'],
      fetch_event_types: ['presence'],
    });
    for (const { client } of [colleague, stranger]) {
      await client.must('post', 'users/me/presence', { status: 'active', ping_only: true });
    }
    const told = { queue_id: queue['queue_id'], last_event_id: -1, dont_block: true };
    const { events } = await eventually(
      () => guest.client.must('get', 'events', told),
      (reply) => (reply['events'] as Reply[]).length >= 2,
    );
    const shown = [addresses[0], `user${stranger.id}@palimpsest.invalid`];
    expect((events as Reply[]).map((event) => event['email'])).toEqual(shown);
    const lists = [
      await guest.client.must('get', 'realm/presence'),
      await guest.client.must('post', 'users/me/presence', { status: 'active' }),
      await guest.client.must('post', 'register', { fetch_event_types: ['presence'] }),
    ];
    for (const { presences } of lists) {
      expect(Object.keys(presences as object)).toEqual(expect.arrayContaining(shown));
      expect(presences).not.toHaveProperty([addresses[1]!]);
    }
    const toMembers = await colleague.client.must('get', 'realm/presence');
    expect(Object.keys(toMembers['presences'] as object)).toEqual(expect.arrayContaining(addresses));
  });

  it('cannot be muted by them, as nobody can who is not there; but unmuted, if they knew them once', async () => {
    const stranger = await admitStranger();
    const mute = (id: number): Promise<{ status: number; body: Reply }> =>
      guest.client.post(`users/me/muted_users/${id}`);
    const { status, body: missing } = await mute(999_999);
    expect(status).toBe(400);
    expect(await mute(stranger.id)).toMatchObject({ status, body: missing });
    const name = `of the muted ${stranger.id}`;
    await owner.createChannel(name, { principals: [guest.id, stranger.id] });
    expect(await mute(stranger.id)).toMatchObject({ status: 200 });
    await owner.must('delete', 'users/me/subscriptions', { subscriptions: [name], principals: [guest.id] });
    await guest.client.must('delete', `users/me/muted_users/${stranger.id}`);
    expect(await mute(stranger.id)).toMatchObject({ status, body: missing });
  });

  it('cannot be told by them that they are typing', async () => {
    const stranger = await admitStranger();
    const refused = await guest.client.post('typing', { op: 'start', to: [stranger.id] });
    expect([refused.status, refused.body.code]).toEqual([400, 'BAD_REQUEST']);
    await guest.client.must('post', 'typing', { op: 'start', to: [colleague.id] });
  });

  it('has no address in events when they type to the guest, or in a channel of the guest', async () => {
    const stranger = await admitStranger();
    await colleague.client.must('patch', 'settings', { email_address_visibility: 1 });
    const listener = await Listener.register(guest.client, {
      event_types: ['typing'],
      client_capabilities: { ...usualCapabilities, stream_typing_notifications: true },
    });
    const group = [guest.id, colleague.id];
    await stranger.client.must('post', 'typing', { op: 'start', to: group });
    const place = { type: 'channel', stream_id: shared, topic: 'greetings' };
    await stranger.client.must('post', 'typing', { op: 'start', ...place });
    const [direct, inChannel] = await listener.newsOf('typing');
    const hidden = { user_id: stranger.id, email: `user${stranger.id}@palimpsest.invalid` };
    const known = { user_id: colleague.id, email: colleague.client.credentials!.email };
    expect([direct?.['sender'], inChannel?.['sender']]).toEqual([hidden, hidden]);
    expect(direct?.['recipients']).toEqual(expect.arrayContaining([hidden, known]));
  });

  it('cannot be found in a narrow by their address', async () => {
    const stranger = await admitStranger();
    const status = async (operator: string, operand: string): Promise<unknown> => {
      const range = { anchor: 'newest', num_before: 1, num_after: 0 };
      const { body } = await guest.client.get('messages', { ...range, narrow: [[operator, operand]] });
      return body['code'] ?? body['result'];
    };
    for (const operator of ['sender', 'dm']) {
      expect(await status(operator, stranger.client.credentials!.email)).toBe('BAD_NARROW');
      expect(await status(operator, 'nobody.at.all@example.com')).toBe('BAD_NARROW');
      expect(await status(operator, colleague.client.credentials!.email)).toBe('success');
      expect(await status(operator, `user${stranger.id}@palimpsest.invalid`)).toBe('success');
    }
  });

  it('cannot be guessed by the address in the narrow of a queue', async () => {
    const stranger = await admitStranger();
    const { email } = stranger.client.credentials!;
    const senders = [email, `user${stranger.id}@palimpsest.invalid`];
    const matching = async (person: Person): Promise<() => Promise<readonly string[]>> => {
      const listeners = await Promise.all(
        senders.map((sender) =>
          Listener.register(person.client, { event_types: ['message'], narrow: [['sender', sender]] }),
        ),
      );
      return async () => {
        const heard = await Promise.all(listeners.map((listener) => listener.news()));
        return senders.filter((_, index) => heard[index]!.length > 0);
      };
    };
    const [byGuest, byColleague] = [await matching(guest), await matching(colleague)];
    await say(stranger.client, shared, 'guess who');
    expect(await byGuest()).toEqual([senders[1]]);
    expect(await byColleague()).toEqual([senders[0]]);
    await stranger.client.must('patch', 'settings', { email_address_visibility: 4 });
    const [byMember, byThemselves] = [await matching(colleague), await matching(stranger)];
    await write(stranger.client, [colleague.id], 'guess again');
    expect(await byMember()).toEqual([senders[1]]);
    expect(await byThemselves()).toEqual(senders);
  });

  it('is shown by id where nothing is filtered: reactions, subscribers, members of groups', async () => {
    const stranger = await admitStranger();
    await stranger.client.must('post', 'users/me/subscriptions', { subscriptions: [{ name: 'shared' }] });
    const { id } = await say(stranger.client, shared, 'here I was');
    await stranger.client.must('post', `messages/${id}/reactions`, { emoji_name: 'tada' });
    await stranger.client.must('delete', 'users/me/subscriptions', { subscriptions: ['shared'] });
    const message = (await guest.client.must('get', `messages/${id}`))['message'] as Reply;
    expect(senderOf(message)).toEqual(unknownSender(stranger.id));
    expect((message['reactions'] as Reply[]).map((reaction) => reaction['user_id'])).toEqual([stranger.id]);
    const inTerminal = async ({ client }: Person): Promise<unknown> => {
      const terminal = new ApiClient(server.site, client.credentials, 'ZulipTerminal/0.7.0');
      const { reactions } = (await terminal.must('get', `messages/${id}`))['message'] as Reply;
      return (reactions as Reply[]).map(({ user }) => (user as Reply)['full_name']);
    };
    expect(await inTerminal(guest)).toEqual(['Unknown user']);
    expect(await inTerminal(colleague)).toEqual([stranger.name]);
    expect(await inTerminal(guest)).toEqual(['Unknown user']);
    const members = await guest.client.must('get', 'user_groups/3/members', { direct_member_only: true });
    expect(members['members']).toContain(stranger.id);
  });
});

describe('whom a guest comes to know', () => {
  it('is told whole before what they are known by: a subscription, and gone after it ends', async () => {
    const stranger = await admitStranger();
    const listener = await Listener.register(guest.client);
    await stranger.client.must('post', 'users/me/subscriptions', { subscriptions: [{ name: 'shared' }] });
    const came = await listener.newsOf('realm_user', 'subscription');
    expect(shortly(came)).toEqual([`add ${stranger.id} ${stranger.name}`, 'subscription peer_add']);
    expect(came[0]?.['person']).toMatchObject({ is_active: true, role: 400, profile_data: {} });
    expect((await listed(guest.client)).get(stranger.id)).toMatchObject({ full_name: stranger.name });
    await stranger.client.must('delete', 'users/me/subscriptions', { subscriptions: ['shared'] });
    expect(shortly(await listener.newsOf('realm_user', 'subscription'))).toEqual([
      'subscription peer_remove',
      `remove ${stranger.id} Unknown user`,
    ]);
    expect((await listed(guest.client)).get(stranger.id)).toEqual(placeholder(stranger.id));
  });

  it('is everyone in a channel that they come to, until they leave it', async () => {
    const stranger = await admitStranger();
    const other = await admitStranger();
    const name = `of ${stranger.name}`;
    await owner.createChannel(name, { principals: [stranger.id, other.id, colleague.id] });
    const listener = await Listener.register(guest.client);
    const of = { subscriptions: [{ name }], principals: [guest.id] };
    await owner.must('post', 'users/me/subscriptions', of);
    const added = shortly(await listener.newsOf('realm_user', 'subscription'));
    expect(added.slice(0, 3)).toEqual([
      `add ${stranger.id} ${stranger.name}`,
      `add ${other.id} ${other.name}`,
      'subscription add',
    ]);
    await guest.client.must('delete', 'users/me/subscriptions', { subscriptions: [name] });
    expect(shortly(await listener.newsOf('realm_user'))).toEqual([
      `remove ${stranger.id} Unknown user`,
      `remove ${other.id} Unknown user`,
    ]);
  });

  it('is whoever writes to them, and everyone in that conversation, from before the message on', async () => {
    const [stranger, other] = [await admitStranger(), await admitStranger()];
    const listener = await Listener.register(guest.client);
    const { id } = await write(stranger.client, [guest.id]);
    expect(shortly(await listener.newsOf('realm_user', 'message'))).toEqual([
      `add ${stranger.id} ${stranger.name}`,
      `message by ${stranger.name}`,
    ]);
    await write(stranger.client, [guest.id, other.id]);
    expect(shortly(await listener.newsOf('realm_user', 'message'))).toEqual([
      `add ${other.id} ${other.name}`,
      `message by ${stranger.name}`,
    ]);
    await write(guest.client, [other.id]);
    expect(shortly(await listener.newsOf('realm_user'))).toEqual([]);
    await stranger.client.must('delete', `messages/${id}`);
    await guest.client.must('get', `users/${stranger.id}`);
    await stranger.client.must('patch', 'settings', { full_name: `${stranger.name} the known` });
    expect(shortly(await listener.newsOf('realm_user'))).toEqual([
      `update ${stranger.id} ${stranger.name} the known`,
    ]);
  });

  it('is gone when the account of whom they share a channel with is, and back with it; not whom they talked with', async () => {
    const [stranger, friend] = [await admitStranger(), await admitStranger()];
    for (const { client } of [stranger, friend]) {
      await client.must('post', 'users/me/subscriptions', { subscriptions: [{ name: 'shared' }] });
    }
    await write(friend.client, [guest.id]);
    const listener = await Listener.register(guest.client);
    for (const { id } of [stranger, friend]) await owner.must('delete', `users/${id}`);
    expect(shortly(await listener.newsOf('realm_user'))).toEqual([
      `remove ${stranger.id} Unknown user`,
      `update ${friend.id}`,
    ]);
    await owner.must('post', `users/${stranger.id}/reactivate`);
    expect(shortly(await listener.newsOf('realm_user'))).toEqual([
      `add ${stranger.id} ${stranger.name}`,
      `update ${stranger.id}`,
    ]);
  });

  it('is everyone, once they are no guest any more, and fewer when they become one', async () => {
    const stranger = await admitStranger();
    const other = await admitGuest('Gwen');
    const listener = await Listener.register(other.client);
    await owner.must('patch', `users/${other.id}`, { role: 400 });
    expect(shortly(await listener.newsOf('realm_user'))).toContain(`add ${stranger.id} ${stranger.name}`);
    await write(stranger.client, [other.id]);
    await listener.news();
    await owner.must('patch', `users/${other.id}`, { role: 600 });
    const lost = shortly(await listener.newsOf('realm_user'));
    expect(lost).toContain(`remove ${colleague.id} Unknown user`);
    expect(lost).not.toContain(`remove ${stranger.id} Unknown user`);
  });

  it('is everyone while the organization hides nobody', async () => {
    const stranger = await admitStranger();
    const listener = await Listener.register(guest.client);
    await owner.must('patch', 'realm', { can_access_all_users_group: { new: 2 } });
    const gained = shortly(await listener.newsOf('realm_user'));
    expect(gained).toContain(`add ${stranger.id} ${stranger.name}`);
    expect(gained.some((text) => text.startsWith(`add ${colleague.id} `))).toBe(false);
    await guest.client.must('get', `users/${stranger.id}`);
    await owner.must('patch', 'realm', { can_access_all_users_group: { new: 3 } });
    const lost = shortly(await listener.newsOf('realm_user'));
    expect(lost).toContain(`remove ${stranger.id} Unknown user`);
    expect(lost.some((text) => text.startsWith(`remove ${colleague.id} `))).toBe(false);
  });
});

describe('the past', () => {
  it('shows a guest whom they knew then', async () => {
    const stranger = await admitStranger();
    const { id: messageId } = await say(stranger.client, shared, 'before we met');
    const before = await headOfLog();
    await write(stranger.client, [guest.id]);
    const after = await headOfLog();
    const nameAt = async (position: number): Promise<unknown> => {
      const path = `messages/${String(messageId)}`;
      const stdout = await tool.must(...['audit', 'at', String(position), path, '--as', String(guest.id)]);
      return (JSON.parse(stdout) as Reply)['message'].sender_full_name;
    };
    expect([await nameAt(before), await nameAt(after)]).toEqual(['Unknown user', stranger.name]);
  });

  async function headOfLog(): Promise<number> {
    return (await tool.json('audit', 'log', '--type', 'MessageSent')).at(-1)!['position'] as number;
  }
});

describe('the permission to know everyone', () => {
  it('is that of everyone, or of all members', async () => {
    for (const wrong of [4, 8, { direct_members: [colleague.id], direct_subgroups: [] }]) {
      const { status } = await owner.patch('realm', { can_access_all_users_group: { new: wrong } });
      expect([wrong, status]).toEqual([wrong, 400]);
    }
  });
});
