import { beforeAll, describe, expect, it } from '@jest/globals';
import { ada, adaId, bo, boId, owner, server } from '../support/ada-and-bo.js';
import { initialSettings, settingNames, settingTable } from '../../src/events/values/setting-table.js';
import { ApiClient, type Answer } from '../support/api-client.js';
import { png } from '../support/images.js';

let bot: ApiClient;

beforeAll(async () => {
  bot = (await server.createBot(ada, 'Helper')).client;
});

/** Status, code and message of an answer. */
function told({ status, body }: Answer): string {
  return [status, body.code ?? '', body.msg].join(' ').trim();
}

/** Another value than the one that the setting has at first. */
function otherValue(name: (typeof settingNames)[number]): boolean | number | string {
  const setting = settingTable[name];
  switch (setting.kind) {
    case 'flag':
      return !setting.default;
    case 'choice':
      return [...setting.values].reverse().find((value) => value !== setting.default)!;
    case 'quantity':
      return setting.to;
    case 'time-zone':
      return 'Europe/Berlin';
  }
}

describe('changing one’s settings', () => {
  it('sets every one of them, whatever else was sent', async () => {
    const { client } = await server.createUser(owner, 'Everything');
    expect(await client.must('get', 'settings')).toMatchObject(initialSettings);
    const wanted = Object.fromEntries(settingNames.map((name) => [name, otherValue(name)]));
    const reply = await client.must('patch', 'settings', { ...wanted, shoe_size: 42 });
    expect(reply).toEqual({ result: 'success', msg: '', ignored_parameters_unsupported: ['shoe_size'] });
    expect(await client.must('get', 'settings')).toMatchObject(wanted);
    expect(await ada.must('get', 'settings')).toMatchObject(initialSettings);
  });

  it('shows the time zone to everyone', async () => {
    await bo.must('patch', 'settings', { timezone: 'Asia/Kolkata' });
    expect((await ada.must('get', `users/${boId}`))['user']).toMatchObject({ timezone: 'Asia/Kolkata' });
    expect(await bo.must('get', 'users/me')).toMatchObject({ timezone: 'Asia/Kolkata' });
  });

  it('goes by the older addresses too', async () => {
    await ada.must('patch', 'settings/display', { color_scheme: 2 });
    await ada.must('patch', 'settings/notifications', { enable_sounds: false });
    expect(await ada.must('get', 'settings')).toMatchObject({ color_scheme: 2, enable_sounds: false });
  });

  it.each([
    ['color_scheme', '99', 'Invalid color_scheme: not in the list of possible values'],
    ['color_scheme', 'dark', 'color_scheme is not valid JSON'],
    ['emojiset', 'google-blob', 'Invalid emojiset: not in the list of possible values'],
    ['default_language', 'tlh', 'Invalid default_language: not in the list of possible values'],
    ['notification_sound', 'thunder', 'Invalid notification_sound: not in the list of possible values'],
    ['timezone', 'Mars/Olympus', 'Invalid timezone: not a recognized time zone'],
    ['enter_sends', 'yes', 'enter_sends is not valid JSON'],
    [
      'email_notifications_batching_period_seconds',
      '0',
      'Invalid email_notifications_batching_period_seconds: not between 1 and 604800',
    ],
    [
      'email_notifications_batching_period_seconds',
      '604801',
      'Invalid email_notifications_batching_period_seconds: not between 1 and 604800',
    ],
  ])('refuses %s=%s, and changes nothing', async (name, value, message) => {
    const answer = await bo.patch('settings', { twenty_four_hour_time: true, [name]: value });
    expect(told(answer)).toBe(`400 BAD_REQUEST ${message}`);
    expect(await bo.must('get', 'settings')).toMatchObject({ twenty_four_hour_time: false });
  });

  it('is for people', async () => {
    expect(told(await bot.patch('settings', { enter_sends: true }))).toBe(
      '400 BAD_REQUEST This endpoint does not accept bot requests.',
    );
  });

  it('gives a person another name, trimmed', async () => {
    await bo.must('patch', 'settings', { full_name: '  Bo Beam ' });
    expect(await bo.must('get', 'users/me')).toMatchObject({ full_name: 'Bo Beam' });
  });

  it('passes over a name where the organization leaves names to administrators', async () => {
    await owner.must('patch', 'realm', { name_changes_disabled: true });
    await bo.must('patch', 'settings', { full_name: 'Somebody Else', left_side_userlist: true });
    expect(await bo.must('get', 'users/me')).toMatchObject({ full_name: 'Bo Beam' });
    expect(await bo.must('get', 'settings')).toMatchObject({ left_side_userlist: true });
    await owner.must('patch', 'realm', { name_changes_disabled: false });
  });

  it('takes no name of another where the organization wants names to be unique', async () => {
    await owner.must('patch', 'realm', { require_unique_names: true });
    const refused = '400 BAD_REQUEST Unique names required in this organization.';
    expect(told(await bo.patch('settings', { full_name: 'ADA' }))).toBe(refused);
    expect(told(await owner.patch(`users/${boId}`, { full_name: 'Ada' }))).toBe(refused);
    const namesake = { email: 'another.ada@example.com', password: 'mauve loom 1843', full_name: 'Ada' };
    expect(told(await owner.post('users', namesake))).toBe(refused);
    await owner.must('patch', 'realm', { require_unique_names: false });
    expect((await owner.post('users', namesake)).status).toBe(200);
  });

  it.each([
    ['B', 'Name too short!'],
    ['B'.repeat(101), 'Name too long!'],
    ['Bo*', 'Invalid characters in name!'],
    ['Bo|7', 'Invalid characters in name!'],
  ])('refuses the name %j', async (name, message) => {
    expect(told(await bo.patch('settings', { full_name: name }))).toBe(`400 BAD_REQUEST ${message}`);
  });
});

describe('changing the settings of others', () => {
  it('changes those of people and of groups', async () => {
    const { id: carlaId, client: carla } = await server.createUser(owner, 'Carla');
    const { id: danId, client: dan } = await server.createUser(owner, 'Dan');
    const group = { name: 'dans', description: '', members: [danId] };
    const { group_id: groupId } = await owner.must('post', 'user_groups/create', group);
    await dan.must('patch', 'settings', { web_font_size_px: 20 });
    const targets = { user_ids: [carlaId], group_ids: [groupId] };
    await owner.must('patch', 'settings', {
      target_users: { ...targets, skip_if_already_edited: true },
      web_font_size_px: 14,
      color_scheme: 3,
    });
    expect(await carla.must('get', 'settings')).toMatchObject({ web_font_size_px: 14, color_scheme: 3 });
    expect(await dan.must('get', 'settings')).toMatchObject({ web_font_size_px: 20, color_scheme: 3 });
    await owner.must('patch', 'settings', { target_users: targets, web_font_size_px: 12 });
    expect(await dan.must('get', 'settings')).toMatchObject({ web_font_size_px: 12 });
    expect(await owner.must('get', 'settings')).toMatchObject({ web_font_size_px: 16, color_scheme: 1 });
  });

  it('is for administrators', async () => {
    expect(told(await ada.patch('settings', { target_users: { user_ids: [boId] }, enter_sends: true }))).toBe(
      '400 UNAUTHORIZED_PRINCIPAL Must be an organization administrator',
    );
  });

  it.each([
    ["'presence_enabled' can only be changed by the person whose it is", { presence_enabled: false }],
    ["'full_name' can only be changed by the person whose it is", { full_name: 'Nobody' }],
    ['No such user', { target_users: { user_ids: [999] } }],
    ['Invalid user group', { target_users: { group_ids: [999] } }],
    ['Either user_ids or group_ids must be provided.', { target_users: {} }],
  ])('is refused: %s', async (message, difference) => {
    const request = { target_users: { user_ids: [adaId] }, left_side_userlist: true, ...difference };
    expect(told(await owner.patch('settings', request))).toBe(`400 BAD_REQUEST ${message}`);
    expect(await ada.must('get', 'settings')).toMatchObject({ left_side_userlist: false });
  });
});

describe('the settings of new accounts', () => {
  it('are what an administrator chose, from then on', async () => {
    await owner.must('patch', 'realm/user_settings_defaults', { user_list_style: 1 });
    expect(await ada.must('get', 'realm/user_settings_defaults')).toMatchObject({ user_list_style: 1 });
    const { client } = await server.createUser(owner, 'Late');
    expect(await client.must('get', 'settings')).toMatchObject({ user_list_style: 1 });
    expect(await ada.must('get', 'settings')).toMatchObject({ user_list_style: 3 });
  });

  it('hold no time zone, which is a person’s own', async () => {
    expect(await ada.must('get', 'realm/user_settings_defaults')).not.toHaveProperty('timezone');
    const reply = await owner.must('patch', 'realm/user_settings_defaults', { timezone: 'UTC' });
    expect(reply).toMatchObject({ ignored_parameters_unsupported: ['timezone'] });
  });

  it('are for administrators to choose', async () => {
    expect(told(await ada.patch('realm/user_settings_defaults', { user_list_style: 2 }))).toBe(
      '400 UNAUTHORIZED_PRINCIPAL Must be an organization administrator',
    );
    expect(told(await owner.patch('realm/user_settings_defaults', { user_list_style: 7 }))).toBe(
      '400 BAD_REQUEST Invalid user_list_style: not in the list of possible values',
    );
  });
});

describe('who sees one’s address', () => {
  let shy: ApiClient;
  let shyId: number;
  let moderator: ApiClient;
  let guest: ApiClient;

  beforeAll(async () => {
    ({ client: shy, id: shyId } = await server.createUser(owner, 'Shy'));
    const moderators = await server.createUser(owner, 'Moderator');
    moderator = moderators.client;
    const guests = await server.createUser(owner, 'Guest');
    guest = guests.client;
    await owner.must('patch', `users/${moderators.id}`, { role: 300 });
    await owner.must('patch', `users/${guests.id}`, { role: 600 });
  });

  const hidden = (): string => `user${shyId}@palimpsest.invalid`;

  /** The own address as each of them is shown it. */
  async function shown(): Promise<unknown[]> {
    const viewers = [owner, moderator, ada, guest, shy];
    const users = await Promise.all(viewers.map((viewer) => viewer.must('get', `users/${shyId}`)));
    return users.map(({ user }) => (user.delivery_email === null ? 'hidden' : 'shown'));
  }

  it.each([
    [1, ['shown', 'shown', 'shown', 'shown', 'shown']],
    [2, ['shown', 'shown', 'shown', 'hidden', 'shown']],
    [5, ['shown', 'shown', 'hidden', 'hidden', 'shown']],
    [3, ['shown', 'hidden', 'hidden', 'hidden', 'shown']],
    [4, ['hidden', 'hidden', 'hidden', 'hidden', 'shown']],
  ])(
    'follows from the setting %d for an owner, a moderator, a member, a guest and oneself',
    async (value, expected) => {
      await shy.must('patch', 'settings', { email_address_visibility: value });
      expect(await shown()).toEqual(expected);
    },
  );

  it('leaves everyone an address that stands for the person', async () => {
    await shy.must('patch', 'settings', { email_address_visibility: 4 });
    const { user } = await ada.must('get', `users/${hidden()}`);
    expect(user).toMatchObject({ user_id: shyId, email: hidden(), delivery_email: null });
    expect(user.avatar_url).toContain('https://');
    expect(await shy.must('get', 'users/me')).toMatchObject({
      email: hidden(),
      delivery_email: 'shy@example.com',
    });
    expect(told(await ada.get('users/shy@example.com'))).toBe('400 BAD_REQUEST No such user');
    const message = { type: 'direct', to: JSON.stringify([hidden()]), content: 'psst' };
    const { id } = await ada.must('post', 'messages', message);
    const narrow = [{ operator: 'dm', operand: hidden() }];
    const page = { anchor: 'newest', num_before: 5, num_after: 0, narrow };
    const { messages } = await ada.must('get', 'messages', page);
    expect(messages).toEqual([expect.objectContaining({ id })]);
    expect(messages[0].display_recipient).toContainEqual(expect.objectContaining({ email: hidden() }));
    expect(JSON.stringify(messages)).not.toContain('shy@example.com');
  });

  it('applies to messages that they sent earlier', async () => {
    await shy.must('patch', 'settings', { email_address_visibility: 1 });
    const { id } = await shy.must('post', 'messages', { type: 'direct', to: `[${adaId}]`, content: 'hello' });
    const sender = async (): Promise<unknown> =>
      (await ada.must('get', `messages/${String(id)}`))['message'].sender_email;
    expect(await sender()).toBe('shy@example.com');
    await shy.must('patch', 'settings', { email_address_visibility: 3 });
    expect(await sender()).toBe(hidden());
  });

  it('does not matter for logging in', async () => {
    await shy.must('patch', 'settings', { email_address_visibility: 4 });
    const anonymous = new ApiClient(server.site, null);
    const login = { username: 'shy@example.com', password: 'secret-of-Shy' };
    expect(await anonymous.must('post', 'fetch_api_key', login)).toMatchObject({ user_id: shyId });
  });
});

describe('the status of a person', () => {
  const emoji = { emoji_name: 'boat', emoji_code: '26f5', reaction_type: 'unicode_emoji' };
  const statusOfBo = async (): Promise<unknown> => (await ada.must('get', `users/${boId}/status`))['status'];

  it('is changed part by part, and can be read by everyone', async () => {
    await bo.must('post', 'users/me/status', { status_text: ' at sea ', emoji_name: 'boat' });
    expect(await statusOfBo()).toEqual({ status_text: 'at sea', ...emoji });
    await bo.must('post', 'users/me/status', { status_text: '' });
    expect(await statusOfBo()).toEqual(emoji);
    await bo.must('post', 'users/me/status', { emoji_name: '', emoji_code: '', reaction_type: '' });
    expect(await statusOfBo()).toEqual({});
    await bo.must('post', 'users/me/status', { away: true });
    expect((await bo.must('get', 'users/me/status'))['status']).toEqual({ away: true });
    expect(await bo.must('get', 'settings')).toMatchObject({ presence_enabled: false });
    await bo.must('patch', 'settings', { presence_enabled: true });
    expect(await statusOfBo()).toEqual({});
  });

  it('is changed for others only by administrators', async () => {
    const path = `users/${boId}/status`;
    await owner.must('post', path, { status_text: 'on leave' });
    expect(await statusOfBo()).toEqual({ status_text: 'on leave' });
    expect((await ada.post(path, { status_text: 'gone' })).body.msg).toBe('Insufficient permission');
    expect((await bot.post(path, { status_text: 'gone' })).status).toBe(400);
    expect((await owner.post('users/999/status', { status_text: 'gone' })).body.msg).toBe('No such user');
    expect((await bo.post(path, { status_text: '' })).body.msg).toBe('Insufficient permission');
    await bo.must('post', 'users/me/status', { status_text: '' });
    expect(await statusOfBo()).toEqual({});
  });

  it('accepts the extra emoji under its older name as well', async () => {
    const older = { emoji_name: 'zulip', emoji_code: 'zulip', reaction_type: 'zulip_extra_emoji' };
    await bo.must('post', 'users/me/status', older);
    expect(await statusOfBo()).toEqual({ ...older, reaction_type: 'service_extra_emoji' });
    await bo.must('post', 'users/me/status', { emoji_name: '' });
  });

  it('is sent to clients: in the initial state, and then only the changed parts', async () => {
    const queue = await ada.must('post', 'register', { event_types: ['user_status', 'user_settings'] });
    await bo.must('post', 'users/me/status', { status_text: 'lunch', emoji_name: 'pizza' });
    await bo.must('post', 'users/me/status', { emoji_name: '' });
    await bo.must('post', 'users/me/status', { away: true, status_text: 'asleep' });
    await bo.must('post', 'users/me/status', { away: false });
    const asked = { queue_id: queue['queue_id'], last_event_id: -1, dont_block: true };
    const { events } = await ada.must('get', 'events', asked);
    const common = { type: 'user_status', user_id: boId };
    const changes = events.map(({ id: _id, ...event }: Record<string, unknown>) => event);
    const none = { emoji_name: '', emoji_code: '', reaction_type: 'unicode_emoji' };
    const last = { ...none, status_text: 'asleep', away: false };
    expect(Object.assign({}, ...changes)).toEqual({ ...common, ...last });
    const expected = [
      {
        ...common,
        status_text: 'lunch',
        emoji_name: 'pizza',
        emoji_code: '1f355',
        reaction_type: 'unicode_emoji',
      },
      { ...common, ...none },
      { ...common, away: true, status_text: 'asleep' },
      { ...common, away: false },
    ];
    // EventStoreDB may hand out by themselves events that were appended together.
    const whole = process.env['E2E_STORES'] === 'servers' ? expected.slice(0, 2) : expected;
    expect(changes.slice(0, whole.length)).toEqual(whole);
    const { user_status: statuses } = await ada.must('post', 'register', {
      fetch_event_types: ['user_status'],
    });
    expect(statuses).toHaveProperty([String(boId)], { status_text: 'asleep' });
    expect(statuses).not.toHaveProperty([String(adaId)]);
  });

  it.each([
    [{}, 'Client did not pass any new values.'],
    [{ emoji_code: '26f5' }, 'Client did not pass any new values.'],
    [
      { status_text: 'x', emoji_code: '26f5' },
      'Client must pass emoji_name if they pass either emoji_code or reaction_type.',
    ],
    [{ status_text: 'x'.repeat(61) }, 'status_text is too long (limit: 60 characters)'],
    [{ emoji_name: 'no_such_emoji' }, "Emoji 'no_such_emoji' does not exist"],
    [{ ...emoji, emoji_code: '1f355' }, 'Invalid emoji name.'],
    [{ ...emoji, emoji_code: '99', reaction_type: 'realm_emoji' }, 'Invalid custom emoji.'],
  ])('is refused: %j', async (request, message) => {
    expect(told(await bo.post('users/me/status', request))).toBe(`400 BAD_REQUEST ${message}`);
  });

  it('exists only for people: bots and unknown ids are refused', async () => {
    expect(told(await bot.post('users/me/status', { status_text: 'beep' }))).toBe(
      '400 BAD_REQUEST This endpoint does not accept bot requests.',
    );
    expect(told(await ada.get('users/999/status'))).toBe('400 BAD_REQUEST No such user');
  });
});

describe('a picture of one’s own', () => {
  const picture = new File([png], 'me.png', { type: 'image/png' });
  const shownOf = async (viewer: ApiClient, id: number): Promise<{ avatar_url: string | null }> =>
    (await viewer.must('get', `users/${id}`))['user'] as { avatar_url: string | null };
  const fetched = (url: unknown): Promise<Response> => fetch(`${server.site}${String(url)}`);

  it('is shown to everyone, also with messages, until it is replaced or deleted', async () => {
    const { client, id } = await server.createUser(owner, 'Pictured');
    const { id: messageId } = await client.must('post', 'messages', {
      type: 'direct',
      to: [adaId],
      content: 'look',
    });
    const set = await client.upload('users/me/avatar', picture);
    expect(set.status).toBe(200);
    const url = set.body['avatar_url'] as string;
    expect(url).toMatch(new RegExp(`^/user_avatars/\\d+/${id}/[0-9a-f]{32}\\.png$`));
    expect(await shownOf(ada, id)).toMatchObject({ avatar_url: url, avatar_version: 2 });
    const { message } = await ada.must('get', `messages/${String(messageId)}`);
    expect(message).toMatchObject({ avatar_url: url });
    const response = await fetched(url);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/png']);
    expect(Buffer.from(await response.arrayBuffer()).equals(png)).toBe(true);

    const replaced = (await client.upload('users/me/avatar', picture)).body['avatar_url'];
    expect(replaced).not.toBe(url);
    expect((await fetched(url)).status).toBe(404);
    const removed = await client.must('delete', 'users/me/avatar');
    expect(removed['avatar_url']).toContain('gravatar.com');
    expect((await fetched(replaced)).status).toBe(404);
    expect(await shownOf(ada, id)).toMatchObject({ avatar_url: null, avatar_version: 4 });
  });

  it('is sent to clients', async () => {
    const queue = await ada.must('post', 'register', { event_types: ['realm_user'] });
    const { avatar_url: url } = (await bo.upload('users/me/avatar', picture)).body;
    const asked = { queue_id: queue['queue_id'], last_event_id: -1, dont_block: true };
    const { events } = await ada.must('get', 'events', asked);
    expect(events).toEqual([
      {
        id: expect.any(Number),
        type: 'realm_user',
        op: 'update',
        person: {
          user_id: boId,
          avatar_url: url,
          avatar_url_medium: (url as string).replace('.png', '-medium.png'),
          avatar_source: 'U',
          avatar_version: 2,
        },
      },
    ]);
  });

  it('is an image, and for the person to choose unless the organization leaves that to administrators', async () => {
    const text = new File(['text'], 'me.png');
    expect((await ada.upload('users/me/avatar', text)).body.code).toBe('BAD_IMAGE');
    await owner.must('patch', 'realm', { avatar_changes_disabled: true });
    const refused = '400 BAD_REQUEST Avatar changes are disabled in this organization.';
    expect(told(await ada.upload('users/me/avatar', picture))).toBe(refused);
    expect(told(await ada.delete('users/me/avatar'))).toBe(refused);
    expect((await owner.upload('users/me/avatar', picture)).status).toBe(200);
    await owner.must('patch', 'realm', { avatar_changes_disabled: false });
  });
});
