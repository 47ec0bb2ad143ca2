import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ApiClient } from '../support/api-client.js';
import { demandOf, unmetDemands } from '../support/decoder-demands.js';
import { eventually } from '../support/eventually.js';
import { Listener, usualCapabilities, type ReceivedEvent } from '../support/listener.js';
import { png } from '../support/images.js';
import { FakeRelay } from '../support/push-relay.js';
import { TestServer } from '../support/server.js';

/** What the mobile client of today says of itself when it registers. */
const mobile = {
  apply_markdown: true,
  slim_presence: true,
  client_gravatar: false,
  client_capabilities: {
    ...usualCapabilities,
    linkifier_url_template: false,
    user_list_incomplete: false,
    archived_channels: false,
  },
};

interface Person {
  readonly id: number;
  readonly client: ApiClient;
}

const roles = ['owner', 'member', 'guest'] as const;

let relay: FakeRelay;
let server: TestServer;
let people: Readonly<Record<(typeof roles)[number], Person>>;
let lab: number;
let said: number;
const told = new Map<string, readonly ReceivedEvent[]>();

/** The same account as the mobile client. */
function asMobile({ client: { site, credentials }, id }: Person): Person {
  return { id, client: new ApiClient(site, credentials, 'ZulipFlutter/30.0.300 (Android 15)') };
}

beforeAll(async () => {
  relay = await FakeRelay.start();
  server = await TestServer.start({ environment: { PUSH_RELAY_URL: relay.url } });
  const owner = { id: 3, client: await server.owner() };
  const member = await server.createUser(owner.client, 'Ada');
  const guest = await server.createUser(owner.client, 'Gil');
  await owner.client.must('patch', `users/${guest.id}`, { role: 600 });
  await server.createBot(owner.client, 'Clerk');
  const gone = await server.createUser(owner.client, 'Gone');
  await owner.client.must('delete', `users/${gone.id}`);
  people = { owner: asMobile(owner), member: asMobile(member), guest: asMobile(guest) };
  lab = await owner.client.createChannel('lab', { principals: [3, member.id, guest.id] });
  said = await member.client.sendToChannel('lab', 'notes', 'Hello @**all**');
  await member.client.must('post', 'messages', { type: 'direct', to: [3, guest.id], content: 'All of us' });
  await owner.client.must('post', 'messages', { type: 'direct', to: [guest.id], content: 'You' });
  await owner.client.must('post', 'messages', { type: 'direct', to: [member.id], content: 'You' });
  await guest.client.must('post', 'messages', { type: 'direct', to: [3], content: 'Thanks' });
  await owner.client.must('post', 'realm/profile_fields', { field_type: 1, name: 'Pet' });
});

afterAll(async () => {
  await server.stop();
  await relay.stop();
});

describe.each(roles)('What the clients of today decode, for the %s', (role) => {
  it('is there when they register', async () => {
    const { client } = people[role];
    await client.must('post', 'users/me/status', { status_text: 'Weaving', emoji_name: 'octopus' });
    await client.must('post', 'users/me/presence', { status: 'active' });
    await client.must('post', 'user_topics', { stream_id: lab, topic: 'notes', visibility_policy: 3 });
    const listener = await Listener.register(client, { ...mobile, fetch_event_types: null });
    expect(unmetDemands(demandOf('register')!, listener.state)).toEqual([]);
    const { subscriptions, unread_msgs: unread, realm_users: users } = listener.state;
    // Demands of the items of a list hold of an empty one, so none of these may be.
    expect([subscriptions.length, users.length, unread.count, unread.huddles.length]).not.toContain(0);
  });

  it('is there when they read messages and look at the server', async () => {
    const { client } = people[role];
    const page = { anchor: 'newest', num_before: 50, num_after: 0, client_gravatar: false };
    const messages = await client.must('get', 'messages', page);
    expect(messages['messages'].length).toBeGreaterThan(2);
    expect(unmetDemands(demandOf('messages')!, messages)).toEqual([]);
    const settings = await client.must('get', 'server_settings');
    expect(unmetDemands(demandOf('server_settings')!, settings)).toEqual([]);
  });
});

/** What somebody does so that clients are told of it. */
async function goOn({ owner, member, guest }: typeof people): Promise<void> {
  const { client: boss } = owner;
  const { client: ada } = member;
  const emoji = { emoji_name: 'octopus' };
  const message = await ada.sendToChannel('lab', 'notes', 'One');
  await ada.must('patch', `messages/${message}`, { content: 'Two' });
  await ada.must('patch', `messages/${message}`, { topic: 'others' });
  await boss.must('post', `messages/${message}/reactions`, emoji);
  await boss.must('delete', `messages/${message}/reactions`, emoji);
  const poll = await ada.sendToChannel('lab', 'notes', '/poll Which?\nOne');
  const vote = JSON.stringify({ type: 'vote', key: 'canned,0', vote: 1 });
  await boss.must('post', 'submessage', { message_id: poll, msg_type: 'widget', content: vote });
  for (const { client } of [owner, member, guest]) {
    await client.must('post', 'messages/flags', { messages: [message], op: 'add', flag: 'starred' });
    await client.must('post', 'messages/flags', { messages: [said], op: 'add', flag: 'read' });
    await client.must('post', 'messages/flags', { messages: [said], op: 'remove', flag: 'read' });
    await client.must('patch', 'settings', { twenty_four_hour_time: true });
    await client.must('post', 'users/me/alert_words', { alert_words: ['loom'] });
    await client.must('post', 'user_topics', { stream_id: lab, topic: 'notes', visibility_policy: 2 });
    await client.must('patch', `users/me/subscriptions/${lab}`, { property: 'color', value: '#ABC' });
    await client.must('post', 'saved_snippets', { title: 'Bye', content: 'Yours' });
    await client.must('post', 'users/me/presence', { status: 'idle', new_user_input: true });
  }
  await boss.must('post', `users/me/muted_users/${guest.id}`);
  await ada.must('post', `users/me/muted_users/${guest.id}`);
  await guest.client.must('post', `users/me/muted_users/${member.id}`);
  await ada.must('post', 'typing', { type: 'stream', stream_id: lab, topic: 'notes', op: 'start' });
  await ada.must('post', 'typing', { type: 'stream', stream_id: lab, topic: 'notes', op: 'stop' });
  await ada.must('post', 'users/me/status', { status_text: 'Spinning', emoji_name: 'tada' });
  await ada.must('patch', 'settings', { full_name: 'Ada Lovelace' });
  const { group_id } = await boss.must('post', 'user_groups/create', {
    name: 'weavers',
    description: '',
    members: [member.id],
  });
  await boss.must('post', `user_groups/${group_id}/members`, { add: [guest.id], delete: [member.id] });
  await boss.must('patch', `user_groups/${group_id}`, { description: 'They weave' });
  await boss.must('post', 'realm/profile_fields', { field_type: 1, name: 'Mood' });
  await boss.must('patch', 'realm', { name: 'Looms', message_content_edit_limit_seconds: 300 });
  await boss.must('patch', `streams/${lab}`, { description: 'Experiments' });
  const hall = await boss.createChannel('hall', { principals: [3, member.id, guest.id] });
  await boss.must('delete', 'users/me/subscriptions', {
    subscriptions: ['hall'],
    principals: [member.id, guest.id],
  });
  await boss.must('delete', `streams/${hall}`);
  const { id: lateId, client: late } = await server.createUser(boss, 'Late');
  await late.must('post', 'users/me/presence', { status: 'active', new_user_input: true });
  const subscriptions = [{ name: 'lab' }];
  await boss.must('post', 'users/me/subscriptions', { subscriptions, principals: [lateId] });
  await boss.upload('realm/emoji/loom', new File([new Uint8Array(png)], 'loom.png'));
  await boss.must('delete', `messages/${message}`);
}

describe('The events of clients', () => {
  beforeAll(async () => {
    const listeners = await Promise.all(
      roles.map(async (role) => [role, await Listener.register(people[role].client, mobile)] as const),
    );
    await goOn(people);
    for (const [role, listener] of listeners) {
      const events: ReceivedEvent[] = [];
      await eventually(
        async () => {
          events.push(...(await listener.news()));
          return events;
        },
        // Presence is told beside the log, and not in its order.
        (all) => ['delete_message', 'presence'].every((last) => all.some(({ type }) => type === last)),
      );
      told.set(role, events);
    }
  });

  it.each(roles)('can be decoded by clients, for the %s', (role) => {
    const faults = told.get(role)!.flatMap((event) => {
      const name = nameOf(event);
      const demand = demandOf('events', name);
      return demand === undefined ? [] : unmetDemands(demand, event, name);
    });
    expect(faults).toEqual([]);
  });

  it('never mark an edit without a move as a move, nor have an unknown type of emoji', () => {
    const all = [...told.values()].flat();
    const edits = all.filter(({ type }) => type === 'update_message');
    const unmoved = edits.filter((event) => !('subject' in event) && !('new_stream_id' in event));
    expect(unmoved.length).toBeGreaterThan(0);
    expect(unmoved.filter((event) => 'propagate_mode' in event)).toEqual([]);
    const known = ['unicode_emoji', 'realm_emoji', 'zulip_extra_emoji'];
    const named = all.filter((event) => 'reaction_type' in event);
    expect(named.filter((event) => !known.includes(event['reaction_type'] as string))).toEqual([]);
  });

  it('include every type in the table of demands, so that each is tested', () => {
    const seen = new Set([...told.values()].flat().map(nameOf));
    const names = Object.keys(demandOf('events') as object);
    expect(names.filter((name) => !seen.has(name))).toEqual([]);
  });
});

function nameOf({ type, op }: ReceivedEvent): string {
  return op === undefined ? type : `${type}/${String(op)}`;
}

it.each(['member', 'guest'] as const)(
  'Push notifications are what phones decode, for the %s',
  async (role) => {
    const { client, id } = people[role];
    const { device_id: device } = await client.must('post', 'register_client_device');
    const key = randomBytes(32);
    await client.must('post', 'mobile_push/register', {
      device_id: device,
      token_kind: 'fcm',
      token_id: 'dG9rZW4=',
      push_key_id: 7,
      push_key: key.toString('base64'),
      bouncer_public_key: 'public-key',
      encrypted_push_registration: 'sealed-token',
    });
    await client.must('patch', 'settings', { enable_offline_push_notifications: true });
    const { client: owner } = people.owner;
    const { id: direct } = await owner.must('post', 'messages', {
      type: 'direct',
      to: [id],
      content: 'Psst',
    });
    const { user } = await client.must('get', `users/${id}`);
    await owner.sendToChannel('lab', 'call', `@**${user.full_name}** come`);
    const waitFor = (count: number): Promise<readonly Record<string, unknown>[]> =>
      eventually(
        async () => relay.readBy(device as number, key),
        (found) => found.length >= count,
      );
    const [one, other] = await waitFor(2);
    expect(unmetDemands(demandOf('push', 'message')!, one)).toEqual([]);
    expect(unmetDemands(demandOf('push', 'direct')!, one)).toEqual([]);
    expect(unmetDemands(demandOf('push', 'message')!, other)).toEqual([]);
    expect(unmetDemands(demandOf('push', 'channel')!, other)).toEqual([]);
    await client.must('post', 'messages/flags', { messages: [direct], op: 'add', flag: 'read' });
    const [, , removal] = await waitFor(3);
    expect(unmetDemands(demandOf('push', 'remove')!, removal)).toEqual([]);
  },
);
