import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ApiClient, Reply } from '../support/api-client.js';
import { everyCapability, Listener } from '../support/listener.js';
import { TestServer } from '../support/server.js';

let server: TestServer;
let owner: ApiClient;
let ada: ApiClient;
let adaId: number;
let boId: number;
let guest: ApiClient;
let guestId: number;
let lab: number;
let state: Reply;

beforeAll(async () => {
  server = await TestServer.start();
  owner = await server.owner();
  ({ client: ada, id: adaId } = await server.createUser(owner, 'Ada'));
  ({ id: boId } = await server.createUser(owner, 'Bo'));
  ({ client: guest, id: guestId } = await server.createUser(owner, 'Gil'));
  await owner.must('patch', `users/${guestId}`, { role: 600 });
  lab = await owner.createChannel('lab', { principals: [adaId, 3] });
  state = await register(ada, { apply_markdown: true, slim_presence: true });
});

afterAll(async () => {
  await server.stop();
});

function register(client: ApiClient, parameters: Readonly<Record<string, unknown>> = {}): Promise<Reply> {
  return client.must('post', 'register', { client_capabilities: everyCapability, ...parameters });
}

async function fetched(part: string | readonly string[], parameters = {}): Promise<object> {
  const parts = typeof part === 'string' ? [part] : part;
  const asked = { event_types: [], fetch_event_types: parts, ...parameters };
  const {
    result: _result,
    msg: _msg,
    queue_id: _queue,
    last_event_id: _last,
    ...rest
  } = await register(ada, asked);
  const {
    zulip_version: _version,
    zulip_merge_base: _base,
    zulip_feature_level: _level,
    idle_queue_timeout_secs: _idle,
    ...fields
  } = rest;
  return fields;
}

/** What the mobile client cannot read the reply without, by the kind of value that it takes. */
const neededByMobile = {
  string: [
    'zulip_version',
    'zulip_merge_base',
    'realm_name',
    'realm_icon_url',
    'server_emoji_data_url',
    'email',
    'full_name',
    'avatar_url',
  ],
  number: [
    'last_event_id',
    'zulip_feature_level',
    'max_stream_name_length',
    'max_topic_length',
    'server_presence_ping_interval_seconds',
    'server_presence_offline_threshold_seconds',
    'realm_wildcard_mention_policy',
    'realm_waiting_period_threshold',
    'max_file_upload_size_mib',
    'event_queue_longpoll_timeout_seconds',
    'user_id',
  ],
  boolean: ['realm_allow_message_editing', 'realm_enable_read_receipts', 'realm_presence_disabled'],
  object: [
    'alert_words',
    'custom_profile_fields',
    'muted_users',
    'presences',
    'realm_user_groups',
    'realm_default_external_accounts',
    'realm_users',
    'realm_non_active_users',
    'cross_realm_bots',
    'realm_emoji',
    'recent_private_conversations',
    'subscriptions',
    'unread_msgs',
    'starred_messages',
    'streams',
    'user_settings',
    'user_status',
    'user_topics',
  ],
} as const;

/** What the terminal client looks for. */
const neededByTerminal = [
  'zulip_version',
  'max_message_id',
  'muted_topics',
  'realm_message_retention_days',
  'realm_message_content_edit_limit_seconds',
  'realm_allow_edit_history',
  'twenty_four_hour_time',
  'pm_content_in_desktop_notifications',
] as const;

describe('what clients cannot do without', () => {
  it.each(Object.entries(neededByMobile).flatMap(([kind, names]) => names.map((name) => [name, kind])))(
    '%s is there, of kind %s',
    (name, kind) => {
      expect(state[name]).not.toBeNull();
      expect(typeof state[name]).toBe(kind);
    },
  );

  it('is included for clients that declare no capabilities', async () => {
    const plain = await ada.must('post', 'register');
    for (const name of neededByTerminal) expect(plain).toHaveProperty(name);
    const [subscription] = plain['subscriptions'] as Record<string, unknown>[];
    expect(subscription).toMatchObject({ desktop_notifications: false, wildcard_mentions_notify: true });
    expect(subscription).toHaveProperty('email_address', '');
    expect(plain['presences']).toEqual({});
  });
});

describe('what newer clients look for', () => {
  it.each([
    ['realm_uuid', expect.stringMatching(/^[0-9a-f-]{36}$/)],
    ['realm_gif_rating_policy', 2],
    ['gif_rating_policy_options', expect.objectContaining({ 'pg-13': { id: 4, name: expect.any(String) } })],
    ['giphy_api_key', ''],
    ['tenor_api_key', ''],
    ['klipy_api_key', ''],
    ['realm_media_preview_size', 100],
    ['realm_default_avatar_source', 'G'],
    ['realm_workplace_users_group', expect.any(Number)],
    ['realm_owner_full_content_access', false],
    ['realm_require_e2ee_push_notifications', false],
    ['realm_send_channel_events_messages', true],
    ['realm_enable_guest_user_dm_warning', true],
    ['realm_welcome_message_custom_text', ''],
    ['realm_moderation_request_channel_id', -1],
    ['realm_message_edit_history_visibility_policy', 'all'],
    ['max_reminder_note_length', 500],
    ['max_bulk_new_subscription_messages', 100],
    ['max_channel_folder_name_length', 60],
    ['max_channel_folder_description_length', 1024],
    ['password_max_length', 100],
    ['server_can_summarize_topics', false],
    ['server_min_deactivated_realm_deletion_days', 14],
    ['server_max_deactivated_realm_deletion_days', null],
    ['navigation_tour_video_url', null],
    ['realm_billing', { has_pending_sponsorship_request: false }],
    ['has_zoom_token', false],
    ['has_webex_token', false],
  ])('%s is there', (name, expected) => {
    expect(state[name]).toEqual(expected);
  });

  it.each([
    'is_billing_admin',
    'can_subscribe_other_users',
    'realm_is_zephyr_mirror_realm',
    'giphy_rating_options',
  ])('%s is gone', (name) => {
    expect(state).not.toHaveProperty(name);
  });
});

describe('the initial state', () => {
  it('has only the requested parts', async () => {
    expect(await fetched([])).toEqual({});
    expect(await fetched('alert_words')).toEqual({ alert_words: [] });
    expect(Object.keys(await fetched('muted_topics'))).toEqual(['muted_topics']);
    expect(Object.keys(await fetched(['muted_topics', 'user_topic']))).toEqual(['user_topics']);
    const { result: _result, ...reply } = await ada.must('post', 'register', {
      event_types: ['alert_words'],
    });
    expect(reply).toHaveProperty('alert_words');
    expect(reply).not.toHaveProperty('realm_users');
  });

  it('lists people by whether they are active, and the server’s own bots apart', async () => {
    await owner.must('delete', `users/${boId}`);
    const { realm_users, realm_non_active_users, cross_realm_bots } = (await fetched('realm_user')) as Record<
      string,
      { user_id: number }[]
    >;
    expect(realm_users!.map(({ user_id }) => user_id)).toEqual([3, adaId, guestId]);
    expect(realm_users![1]).toMatchObject({ email: 'ada@example.com', profile_data: {}, role: 400 });
    expect(realm_users![1]).not.toHaveProperty('is_active');
    expect(realm_non_active_users!.map(({ user_id }) => user_id)).toEqual([boId]);
    expect(cross_realm_bots).toMatchObject([
      { email: 'notification-bot@zulip.com', is_system_bot: true },
      { email: 'welcome-bot@zulip.com', is_system_bot: true },
      { email: 'emailgateway@zulip.com', is_system_bot: true },
    ]);
  });

  it('tells administrators and moderators apart', async () => {
    const { id, client } = await server.createUser(owner, 'Mo');
    const roleOf = async (who: ApiClient): Promise<Reply> =>
      who.must('post', 'register', { event_types: [], fetch_event_types: ['realm_user'] });
    expect(await roleOf(owner)).toMatchObject({ is_owner: true, is_admin: true, is_moderator: true });
    expect(await roleOf(client)).toMatchObject({ is_admin: false, is_moderator: false, is_guest: false });
    await owner.must('patch', `users/${id}`, { role: 300 });
    expect(await roleOf(client)).toMatchObject({ is_owner: false, is_admin: false, is_moderator: true });
  });

  it('sorts channels by whether one is, was or never was subscribed, with subscribers where asked for', async () => {
    await ada.must('post', 'users/me/subscriptions', { subscriptions: [{ name: 'left' }] });
    await ada.must('delete', 'users/me/subscriptions', { subscriptions: ['left'] });
    await owner.must('post', 'users/me/subscriptions', { subscriptions: [{ name: 'other' }] });
    const lists = (await fetched('subscription', { include_subscribers: 'true' })) as Record<
      string,
      object[]
    >;
    expect(lists['subscriptions']).toMatchObject([
      { name: 'lab', subscribers: [3, adaId], color: expect.any(String) },
    ]);
    expect(lists['unsubscribed']).toMatchObject([{ name: 'left', subscribers: [] }]);
    expect(lists['never_subscribed']).toMatchObject([{ name: 'other', subscribers: [3] }]);
    expect(lists['never_subscribed']![0]).not.toHaveProperty('color');
    const without = (await fetched('subscription')) as Record<string, object[]>;
    expect(without['subscriptions']![0]).not.toHaveProperty('subscribers');
  });

  it('says how long the texts of channels may be, and how many people are told that they were subscribed', () => {
    expect(state).toMatchObject({
      max_stream_description_length: 1024,
      max_channel_folder_name_length: 60,
      max_channel_folder_description_length: 1024,
      max_bulk_new_subscription_messages: 100,
    });
  });

  it('tells guests of no more than they may know', async () => {
    const { streams, never_subscribed, realm_default_streams } = await register(guest);
    expect([streams, never_subscribed, realm_default_streams]).toEqual([[], [], []]);
  });

  it('tells what is unread by conversation, without what is muted in the count', async () => {
    const say = async (message: Readonly<Record<string, unknown>>): Promise<number> =>
      (await owner.must('post', 'messages', message))['id'] as number;
    const channel = { type: 'channel', to: 'lab', topic: 'engines' };
    const before = (await fetched(['message', 'update_message_flags'])) as { unread_msgs: { count: number } };
    const ids = [
      await say({ ...channel, content: '@**Ada**' }),
      await say({ ...channel, topic: 'Noise', content: 'sh' }),
    ];
    const direct = [
      await say({ type: 'direct', to: [adaId], content: 'psst' }),
      await say({ type: 'direct', to: [adaId, guestId], content: 'both of you' }),
    ];
    await ada.must('post', 'user_topics', { stream_id: lab, topic: 'noise', visibility_policy: 1 });
    const { unread_msgs: unread, max_message_id } = (await fetched(['message', 'update_message_flags'])) as {
      unread_msgs: Record<string, object[]>;
      max_message_id: number;
    };
    expect(max_message_id).toBe(direct[1]);
    expect(unread['streams']).toEqual(
      expect.arrayContaining([
        { stream_id: lab, topic: 'engines', unread_message_ids: [ids[0]] },
        { stream_id: lab, topic: 'Noise', unread_message_ids: [ids[1]] },
      ]),
    );
    expect(unread['pms']).toEqual(
      expect.arrayContaining([{ other_user_id: 3, sender_id: 3, unread_message_ids: [direct[0]] }]),
    );
    expect(unread['huddles']).toEqual([
      { user_ids_string: `3,${adaId},${guestId}`, unread_message_ids: [direct[1]] },
    ]);
    expect(unread['mentions']).toEqual([ids[0]]);
    expect(unread['count']).toBe(before.unread_msgs.count + 3);
    expect(unread['old_unreads_missing']).toBe(false);
    expect(await fetched('message')).not.toHaveProperty('unread_msgs');
    const { recent_private_conversations: recent } = (await fetched('recent_private_conversations')) as {
      recent_private_conversations: object[];
    };
    expect(recent.slice(0, 2)).toEqual([
      { user_ids: [3, guestId], max_message_id: direct[1] },
      { user_ids: [3], max_message_id: direct[0] },
    ]);
  });

  it('names the last message that reached the person, not later messages to others', async () => {
    const { client: cleo } = await server.createUser(owner, 'Cleo');
    const part = { event_types: [], fetch_event_types: ['message'] };
    expect(await register(cleo, part)).toHaveProperty('max_message_id', -1);
  });

  it('names the last message that reached the person even if they may not read it any more', async () => {
    const { client, id } = await server.createUser(owner, 'Dora');
    const part = { event_types: [], fetch_event_types: ['message'] };
    await owner.createChannel('cellar', { principals: [3, id], invite_only: true });
    const message = { type: 'channel', to: 'cellar', topic: 'keys', content: 'turn' };
    const { id: received } = await owner.must('post', 'messages', message);
    await owner.must('delete', 'users/me/subscriptions', { subscriptions: ['cellar'], principals: [id] });
    await owner.must('post', 'messages', message);
    expect(await register(client, part)).toHaveProperty('max_message_id', received);
    expect(await client.must('get', 'users/me')).toHaveProperty('max_message_id', received);
  });

  it('lists the starred messages that exist and that the person may see', async () => {
    const vault = await owner.createChannel('vault', { invite_only: true });
    const say = async (content: string): Promise<number> =>
      (await owner.must('post', 'messages', { type: 'channel', to: 'lab', topic: content, content }))[
        'id'
      ] as number;
    const [kept, deleted, lost] = [await say('kept'), await say('deleted'), await say('lost')];
    await ada.must('post', 'messages/flags', { messages: [kept, deleted, lost], op: 'add', flag: 'starred' });
    expect(await fetched('starred_messages')).toEqual({ starred_messages: [kept, deleted, lost] });
    await owner.must('delete', `messages/${deleted}`);
    await owner.must('patch', `messages/${lost}`, { stream_id: vault });
    expect(await fetched('starred_messages')).toEqual({ starred_messages: [kept] });
  });

  it('tells clients that do not know archived channels of nothing in them', async () => {
    const attic = await owner.createChannel('attic', { principals: [adaId, 3] });
    const message = { type: 'channel', to: 'attic', topic: 'boxes', content: '@**Ada**' };
    const { id } = await owner.must('post', 'messages', message);
    await ada.must('post', 'user_topics', { stream_id: attic, topic: 'boxes', visibility_policy: 1 });
    await ada.must('post', 'user_topics', { stream_id: attic, topic: 'chests', visibility_policy: 3 });
    await owner.must('delete', `streams/${attic}`);
    interface Told {
      readonly unread_msgs: {
        readonly streams: readonly { readonly stream_id: number; readonly unread_message_ids: number[] }[];
        readonly mentions: readonly number[];
      };
      readonly user_topics: readonly { readonly stream_id: number }[];
    }
    const parts = ['message', 'update_message_flags', 'user_topic'];
    const { unread_msgs: unread, user_topics: topics } = (await fetched(parts)) as Told;
    expect(unread.mentions).toContain(id);
    const inAttic = unread.streams.filter(({ stream_id }) => stream_id === attic);
    expect(inAttic.flatMap(({ unread_message_ids: ids }) => ids)).toContain(id);
    expect(topics.filter(({ stream_id }) => stream_id === attic)).toHaveLength(2);
    const older = { client_capabilities: { ...everyCapability, archived_channels: false } };
    const told = (await fetched(parts, older)) as Told;
    expect(told.unread_msgs.mentions).not.toContain(id);
    expect(told.unread_msgs.streams.map(({ stream_id }) => stream_id)).not.toContain(attic);
    expect(told.user_topics.map(({ stream_id }) => stream_id)).not.toContain(attic);
    const { muted_topics: muted } = (await fetched('muted_topics', older)) as { muted_topics: string[][] };
    expect(muted.map(([channel]) => channel)).not.toContain('attic');
  });

  it('names the empty topic, when it is muted, as the client knows it: in the state and in the event', async () => {
    const crypt = await ada.createChannel('crypt');
    await ada.must('post', 'user_topics', { stream_id: crypt, topic: '', visibility_policy: 1 });
    for (const [empty_topic_name, expected] of [
      [true, ''],
      [false, 'general chat'],
    ] as const) {
      const capabilities = { client_capabilities: { ...everyCapability, empty_topic_name } };
      const { muted_topics: muted } = (await fetched('muted_topics', capabilities)) as {
        muted_topics: string[][];
      };
      expect(muted).toContainEqual(['crypt', expected, expect.any(Number)]);
      const listener = await Listener.register(ada, { event_types: ['muted_topics'], ...capabilities });
      await ada.must('post', 'user_topics', { stream_id: crypt, topic: '', visibility_policy: 3 });
      await ada.must('post', 'user_topics', { stream_id: crypt, topic: '', visibility_policy: 1 });
      const news = await listener.news();
      expect(news.at(-1)!['muted_topics']).toContainEqual(['crypt', expected, expect.any(Number)]);
    }
  });

  it('is what the same lists are when they are asked for separately', async () => {
    const draft = { type: '', to: [], topic: '', content: 'half', timestamp: 2000 };
    await ada.must('post', 'drafts', { drafts: [draft] });
    await ada.must('post', 'saved_snippets', { title: 'Bye', content: 'Yours' });
    const { drafts } = await ada.must('get', 'drafts');
    const { saved_snippets } = await ada.must('get', 'saved_snippets');
    expect(await fetched(['drafts', 'saved_snippets'])).toEqual({ drafts, saved_snippets });
  });

  it('names the built-in emoji where it says, to everyone', async () => {
    const response = await fetch(state['server_emoji_data_url'] as string);
    const { code_to_names } = (await response.json()) as { code_to_names: Record<string, string[]> };
    expect(code_to_names['1f419']).toEqual(['octopus']);
  });
});
