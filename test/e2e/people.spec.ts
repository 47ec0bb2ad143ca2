import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ApiClient, type Answer } from '../support/api-client.js';
import { TestServer } from '../support/server.js';

let server: TestServer;
let owner: ApiClient;
let admin: ApiClient;
let ada: ApiClient;
let gil: ApiClient;
let adminId: number;
let adaId: number;
let gilId: number;
const ownerId = 3;

beforeAll(async () => {
  server = await TestServer.start({
    environment: { OWNER_EMAIL: 'olga@example.com', OWNER_NAME: 'Olga Owner', ORGANIZATION_NAME: 'Engines' },
  });
  owner = await server.owner();
  ({ client: admin, id: adminId } = await server.createUser(owner, 'Admin'));
  ({ client: ada, id: adaId } = await server.createUser(owner, 'Ada'));
  ({ client: gil, id: gilId } = await server.createUser(owner, 'Gil'));
  await owner.must('patch', `users/${adminId}`, { role: 200 });
  await owner.must('patch', `users/${gilId}`, { role: 600 });
});

afterAll(async () => {
  await server.stop();
});

const anonymous = (): ApiClient => new ApiClient(server.site, null);

/** Status, code and message of an answer. */
function told({ status, body }: Answer): string {
  return [status, body.code ?? '', body.msg].join(' ').trim();
}

/** An object of a reply. */
type Fields = Readonly<Record<string, unknown>>;

/** An account as it is looked up. */
async function lookUp(
  whom: unknown,
  parameters: Readonly<Record<string, unknown>> = {},
): Promise<Fields & { email: string }> {
  return (await ada.must('get', `users/${String(whom)}`, parameters))['user'] as Fields & { email: string };
}

let people = 0;
async function newcomer(): Promise<{ id: number; client: ApiClient; email: string }> {
  people += 1;
  const { id, client } = await server.createUser(owner, `Newcomer ${people}`);
  return { id, client, email: client.credentials?.email ?? '' };
}

const tooWeak = 'The password is too weak: take several words that do not belong together, or a longer one.';

describe('making an account', () => {
  const request = { email: 'new@example.com', password: 'mauve loom 1843', full_name: 'New Person' };

  it('answers the id of a member who can log in at once', async () => {
    const id = (await admin.must('post', 'users', request))['user_id'] as number;
    const user = await lookUp(id);
    expect(user).toMatchObject({ user_id: id, email: 'new@example.com', role: 400, is_active: true });
    const login = { username: 'NEW@example.com', password: 'mauve loom 1843' };
    const reply = await anonymous().must('post', 'fetch_api_key', login);
    expect(reply).toMatchObject({ user_id: id, email: 'new@example.com' });
  });

  it('is for administrators', async () => {
    for (const client of [ada, gil]) {
      expect(told(await client.post('users', request))).toBe(
        '400 UNAUTHORIZED_PRINCIPAL Must be an organization administrator',
      );
    }
    expect((await anonymous().post('users', request)).status).toBe(401);
  });

  it.each([
    ['BAD_REQUEST Email is already in use', { email: 'ADA@example.com' }],
    ['BAD_REQUEST Enter a valid email address.', { email: 'nobody' }],
    ['BAD_REQUEST Name too short!', { full_name: 'N' }],
    ['BAD_REQUEST Name too long!', { full_name: 'N'.repeat(101) }],
    ['BAD_REQUEST Invalid characters in name!', { full_name: 'New|7' }],
    ['BAD_REQUEST The password is too short (6 characters at least).', { password: '12345' }],
    [`BAD_REQUEST ${tooWeak}`, { password: 'aaaaaa' }],
    [`BAD_REQUEST ${tooWeak}`, { password: 'engines' }],
    // Nobody who knows the address needs to guess for long.
    [`BAD_REQUEST ${tooWeak}`, { email: 'grimbledon@example.com', password: 'Grimbledon' }],
    [`BAD_REQUEST ${tooWeak}`, { password: '1'.repeat(50) }],
    ["REQUEST_VARIABLE_MISSING Missing 'email' argument", { email: undefined }],
    ["REQUEST_VARIABLE_MISSING Missing 'password' argument", { password: undefined }],
    ["REQUEST_VARIABLE_MISSING Missing 'full_name' argument", { full_name: undefined }],
  ])('is refused: %s', async (refusal, difference) => {
    const fresh = { ...request, email: 'fresh@example.com' };
    expect(told(await owner.post('users', { ...fresh, ...difference }))).toBe(`400 ${refusal}`);
  });

  it('gives an address to one of many who ask for it at once', async () => {
    const raced = { ...request, email: 'raced@example.com' };
    const answers = await Promise.all([1, 2, 3, 4].map(() => owner.post('users', raced)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400]);
  });
});

describe('looking people up', () => {
  const members = [
    'avatar_url avatar_version bot_owner_id bot_type date_joined delivery_email email full_name is_active is_admin',
    'is_bot is_guest is_imported_stub is_owner role timezone user_id',
  ];
  const keys = members.join(' ').split(' ');

  it('lists people and bots, deactivated ones too, but not the server’s own', async () => {
    const gone = await newcomer();
    await owner.must('delete', `users/${gone.id}`);
    const { members: listed } = await gil.must('get', 'users');
    const ids = (listed as { user_id: number }[]).map(({ user_id: id }) => id);
    expect(ids).toEqual(expect.arrayContaining([ownerId, adaId, gone.id]));
    expect(ids).not.toContain(1);
    for (const user of listed as object[]) expect(Object.keys(user).sort()).toEqual(keys);
  });

  it('lists only those who are asked for', async () => {
    const { members: listed } = await ada.must('get', 'users', { user_ids: [adaId, 999, adaId] });
    expect((listed as { user_id: number }[]).map(({ user_id: id }) => id)).toEqual([adaId]);
  });

  it('finds one by id and by address, in any case', async () => {
    for (const whom of [ownerId, 'olga@example.com', 'OLGA@Example.com']) {
      const user = await lookUp(whom);
      expect(user).toMatchObject({
        user_id: ownerId,
        full_name: 'Olga Owner',
        is_owner: true,
        is_admin: true,
      });
    }
    expect(told(await ada.get('users/999'))).toBe('400 BAD_REQUEST No such user');
    expect(told(await ada.get('users/nobody@example.com'))).toBe('400 BAD_REQUEST No such user');
  });

  it('leaves the picture to the client unless told otherwise', async () => {
    const user = await lookUp(ownerId);
    const complete = await lookUp(ownerId, { client_gravatar: false, include_custom_profile_fields: true });
    expect(user).toMatchObject({ avatar_url: null });
    expect(user).not.toHaveProperty('profile_data');
    expect(complete).toMatchObject({ avatar_url: expect.stringContaining('https://'), profile_data: {} });
  });

  it('finds the bots that clients know', async () => {
    const user = await lookUp('notification-bot@zulip.com');
    expect(user).toMatchObject({
      user_id: 1,
      is_bot: true,
      is_system_bot: true,
      avatar_url: expect.any(String),
    });
  });

  it('answers the caller’s own account', async () => {
    const { result: _result, msg: _msg, ...own } = await ada.must('get', 'users/me');
    expect(own).toEqual({
      user_id: adaId,
      email: 'ada@example.com',
      delivery_email: 'ada@example.com',
      full_name: 'Ada',
      role: 400,
      is_admin: false,
      is_owner: false,
      is_guest: false,
      is_bot: false,
      is_active: true,
      is_imported_stub: false,
      timezone: '',
      date_joined: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d\+00:00$/),
      avatar_version: 1,
      avatar_url: expect.stringMatching(/^https:\/\/secure\.gravatar\.com\/avatar\/[0-9a-f]{32}/),
      profile_data: {},
      max_message_id: expect.any(Number),
    });
  });
});

describe('changing a person', () => {
  it('changes name and role, and is seen at once', async () => {
    const { id, client } = await newcomer();
    await admin.must('patch', `users/${id}`, { full_name: 'Renamed', role: 300 });
    expect(await client.must('get', 'users/me')).toMatchObject({ full_name: 'Renamed', role: 300 });
  });

  it('finds them by an address that the caller may know', async () => {
    const { id, email } = await newcomer();
    await admin.must('patch', `users/${email.toUpperCase()}`, { full_name: 'Addressed' });
    expect(await lookUp(id)).toMatchObject({ full_name: 'Addressed' });
    const unknown = await admin.patch('users/nobody@example.com', { full_name: 'Nobody' });
    expect(told(unknown)).toBe('400 BAD_REQUEST No such user');
    expect(told(await ada.patch(`users/${email}`, { full_name: 'Mine' }))).toBe(
      '400 BAD_REQUEST Insufficient permission',
    );
  });

  it('refuses in the order that clients know', async () => {
    const change = async (client: ApiClient, id: number, role: number): Promise<string> =>
      told(await client.patch(`users/${id}`, { role }));
    expect(await change(ada, 999, 100)).toBe('400 BAD_REQUEST No such user');
    expect(await change(ada, adaId, 100)).toBe('400 BAD_REQUEST Insufficient permission');
    expect(await change(admin, adaId, 100)).toBe('400 UNAUTHORIZED_PRINCIPAL Must be an organization owner');
    expect(await change(owner, ownerId, 555)).toBe(
      '400 BAD_REQUEST The owner permission cannot be removed from the only organization owner.',
    );
    expect(await change(owner, adaId, 555)).toBe('400 BAD_REQUEST Invalid role');
    expect(told(await owner.patch(`users/${adaId}`, { full_name: '@all' }))).toBe(
      '400 BAD_REQUEST Invalid characters in name!',
    );
  });

  it('names what it does not support, and changes the rest', async () => {
    const { id } = await newcomer();
    const reply = await owner.must('patch', `users/${id}`, { full_name: 'Other Name', favourite: 'tea' });
    expect(reply['ignored_parameters_unsupported']).toEqual(['favourite']);
    expect(await lookUp(id)).toMatchObject({ full_name: 'Other Name' });
  });
});

describe('deactivating and reactivating', () => {
  it('locks a person out at once, with their bots, until they log in anew', async () => {
    const { id, client, email } = await newcomer();
    const bot = await client.must('post', 'bots', { full_name: `Bot of ${id}`, short_name: `of${id}` });
    await admin.must('delete', `users/${id}`);
    expect(told(await client.get('users/me'))).toMatch(/^401 UNAUTHORIZED/);
    expect(await lookUp(bot['user_id'])).toMatchObject({ is_active: false });
    const login = { username: email, password: `secret-of-Newcomer ${people}` };
    expect(told(await anonymous().post('fetch_api_key', login))).toBe(
      '401 USER_DEACTIVATED Account is deactivated',
    );
    expect(told(await admin.delete(`users/${id}`))).toMatch(/^400 BAD_REQUEST/);

    await admin.must('post', `users/${id}/reactivate`);
    await admin.must('post', `users/${id}/reactivate`);
    expect(told(await client.get('users/me'))).toBe('401 UNAUTHORIZED Invalid API key');
    const { api_key: key } = await anonymous().must('post', 'fetch_api_key', login);
    await new ApiClient(server.site, { email, key: key as string }).must('get', 'users/me');
  });

  it('is not for members, and of owners only for owners', async () => {
    expect(told(await ada.delete(`users/${gilId}`))).toBe('400 BAD_REQUEST Insufficient permission');
    expect(told(await ada.post(`users/${gilId}/reactivate`))).toBe('400 BAD_REQUEST Insufficient permission');
    expect(told(await admin.delete(`users/${ownerId}`))).toBe(
      '400 UNAUTHORIZED_PRINCIPAL Must be an organization owner',
    );
    expect(told(await owner.delete('users/999'))).toBe('400 BAD_REQUEST No such user');
  });

  it('keeps the only owner', async () => {
    const { status, body } = await owner.delete('users/me');
    expect(status).toBe(400);
    expect(body).toMatchObject({
      code: 'CANNOT_DEACTIVATE_LAST_USER',
      is_last_owner: true,
      entity: 'organization owner',
    });
    expect(told(await owner.delete(`users/${ownerId}`))).toBe(
      '400 BAD_REQUEST The only organization owner cannot be deactivated.',
    );
  });

  it('is everyone’s right over themselves', async () => {
    const { client, id } = await newcomer();
    expect(told(await client.delete(`users/${id}`))).toBe('400 BAD_REQUEST Insufficient permission');
    await client.must('delete', 'users/me');
    expect((await client.get('users/me')).status).toBe(401);
  });
});

describe('keys', () => {
  it('are several after several log-ins, and one after they are renewed', async () => {
    const { client, email } = await newcomer();
    const login = { username: email, password: `secret-of-Newcomer ${people}` };
    const { api_key: second } = await anonymous().must('post', 'fetch_api_key', login);
    const other = new ApiClient(server.site, { email, key: second as string });
    await other.must('get', 'users/me');
    const { api_key: third } = await client.must('post', 'users/me/api_key/regenerate');
    expect((await client.get('users/me')).status).toBe(401);
    expect((await other.get('users/me')).status).toBe(401);
    await new ApiClient(server.site, { email: email.toUpperCase(), key: third as string }).must(
      'get',
      'users/me',
    );
  });

  it('are not given for a wrong password', async () => {
    for (const username of ['ada@example.com', 'nobody@example.com', 'notification-bot@zulip.com']) {
      const answer = await anonymous().post('fetch_api_key', { username, password: 'wrong horse' });
      expect(told(answer)).toBe('401 AUTHENTICATION_FAILED Your username or password is incorrect');
    }
  });

  it('open only the account that they belong to', async () => {
    const key = ada.credentials?.key ?? '';
    const { status, headers, body } = await new ApiClient(server.site, { email: 'gil@example.com', key }).get(
      'users/me',
    );
    expect(status).toBe(401);
    expect(headers.get('www-authenticate')).toBe('Basic realm="zulip"');
    expect(body).toMatchObject({ code: 'UNAUTHORIZED', msg: 'Invalid API key' });
  });
});

describe('bots', () => {
  it('belong to their creator, who gets their keys', async () => {
    const { id, client } = await newcomer();
    const made: Fields = await client.must('post', 'bots', {
      full_name: `Relay of ${id}`,
      short_name: `relay${id}`,
    });
    const { bots } = await client.must('get', 'bots');
    const user = await lookUp(made['user_id']);
    expect(bots).toEqual([
      {
        username: user.email,
        full_name: `Relay of ${id}`,
        api_key: made['api_key'],
        avatar_url: expect.any(String),
        default_sending_stream: null,
        default_events_register_stream: null,
        default_all_public_streams: false,
        services: [],
      },
    ]);
    expect(user).toMatchObject({ is_bot: true, bot_type: 1, bot_owner_id: id, role: 400 });
    expect((await ada.must('get', 'bots'))['bots']).toEqual([]);
    const bot = new ApiClient(server.site, { email: user.email, key: made['api_key'] as string });
    expect(await bot.must('get', 'users/me')).toMatchObject({ is_bot: true, bot_type: 1, bot_owner_id: id });
    expect(await bot.must('get', 'users/me')).not.toHaveProperty('profile_data');
  });

  it('are renamed, given new keys and deactivated by their owner, and given away by administrators', async () => {
    const { id, client } = await newcomer();
    const made = await client.must('post', 'bots', { full_name: `Post of ${id}`, short_name: `post${id}` });
    const path = `bots/${made['user_id']}`;
    expect(await client.must('patch', path, { full_name: `Mail of ${id}` })).toMatchObject({
      full_name: `Mail of ${id}`,
    });
    const key = (await client.must('post', `${path}/api_key/regenerate`))['api_key'] as string;
    expect(key).not.toBe(made['api_key']);
    expect((await client.must('get', 'bots'))['bots']).toMatchObject([{ api_key: key }]);
    expect(await client.must('get', `${path}/api_key`)).toMatchObject({ api_key: key });
    expect(await admin.must('get', `${path}/api_key`)).toMatchObject({ api_key: key });
    expect(told(await ada.get(`${path}/api_key`))).toBe('400 BAD_REQUEST Insufficient permission');
    expect(told(await admin.get(`bots/${adaId}/api_key`))).toBe('400 BAD_REQUEST No such bot');
    expect(told(await ada.patch(path, { full_name: 'Mine' }))).toBe(
      '400 BAD_REQUEST Insufficient permission',
    );
    expect(told(await admin.patch(path, { bot_owner_id: 999 }))).toMatch(/^400 BAD_REQUEST Invalid owner/);
    expect(told(await client.patch(path, { bot_owner_id: adminId }))).toBe(
      '400 BAD_REQUEST Insufficient permission',
    );
    await admin.must('patch', path, { bot_owner_id: adminId });
    const given = (await admin.must('get', `${path}/api_key`))['api_key'] as string;
    expect([given === key, given.length]).toEqual([false, 32]);
    const { email } = await lookUp(made['user_id']);
    expect((await new ApiClient(server.site, { email, key }).get('users/me')).status).toBe(401);
    await new ApiClient(server.site, { email, key: given }).must('get', 'users/me');
    expect(told(await client.delete(path))).toBe('400 BAD_REQUEST Insufficient permission');
    await admin.must('delete', path);
    expect(told(await admin.delete(`bots/${adaId}`))).toBe('400 BAD_REQUEST No such bot');
  });

  it('come back with a new key, which their owner can read at once', async () => {
    const { id, client } = await newcomer();
    const made = await client.must('post', 'bots', { full_name: `Back of ${id}`, short_name: `back${id}` });
    await client.must('delete', `bots/${made['user_id']}`);
    await client.must('post', `users/${made['user_id']}/reactivate`);
    const [{ username, api_key: key }] = (await client.must('get', 'bots'))['bots'];
    expect(key).toMatch(/^[A-Za-z0-9]{32}$/);
    expect(key).not.toBe(made['api_key']);
    await new ApiClient(server.site, { email: username, key }).must('get', 'users/me');
    expect(
      (await new ApiClient(server.site, { email: username, key: made['api_key'] }).get('users/me')).status,
    ).toBe(401);
  });

  it('send to the channels that were chosen for them, and get events of these', async () => {
    const { id, client } = await newcomer();
    const channels = [`Bots of ${id}`, `News of ${id}`];
    await client.must('post', 'users/me/subscriptions', {
      subscriptions: channels.map((name) => ({ name })),
    });
    const chosen = {
      default_sending_stream: channels[0],
      default_events_register_stream: channels[1],
      default_all_public_streams: true,
    };
    const request = { full_name: `Ticker of ${id}`, short_name: `ticker${id}` };
    const made = await client.must('post', 'bots', { ...request, ...chosen });
    expect(made).toMatchObject(chosen);
    expect((await client.must('get', 'bots'))['bots']).toMatchObject([chosen]);
    const { email } = await lookUp(made['user_id']);
    const bot = new ApiClient(server.site, { email, key: made['api_key'] as string });
    const queue = await bot.must('post', 'register', { event_types: ['message'] });
    const message = { type: 'channel', topic: 'ticks', content: 'tick' };
    await bot.must('post', 'messages', message);
    const { id: newsId } = await client.must('post', 'messages', { ...message, to: channels[1] });
    const { queue_id } = queue;
    const { events } = await bot.must('get', 'events', { queue_id, last_event_id: -1 });
    expect(events.map((event: Fields) => (event['message'] as Fields)['id'])).toEqual([newsId]);

    const path = `bots/${made['user_id']}`;
    expect(await client.must('patch', path, { default_sending_stream: '' })).toMatchObject({
      ...chosen,
      default_sending_stream: null,
    });
    expect(told(await bot.post('messages', message))).toMatch(/^400 REQUEST_VARIABLE_MISSING/);
    expect(told(await client.patch(path, { default_sending_stream: 'absent' }))).toBe(
      '400 BAD_REQUEST Invalid channel name',
    );
  });

  it('do not tell their owner the name of a default channel of which the owner may not know any more', async () => {
    const { id, client } = await newcomer();
    const channelId = await ada.createChannel(`Rooms of ${id}`, { principals: [id], invite_only: true });
    const chosen = { default_sending_stream: `Rooms of ${id}` };
    const request = { full_name: `Keeper of ${id}`, short_name: `keeper${id}` };
    const { user_id: botId } = await client.must('post', 'bots', { ...request, ...chosen });
    await client.must('delete', 'users/me/subscriptions', { subscriptions: [`Rooms of ${id}`] });
    await ada.must('patch', `streams/${channelId}`, { new_name: `Vaults of ${id}` });
    const hidden = { default_sending_stream: null };
    expect((await client.must('get', 'bots'))['bots']).toMatchObject([hidden]);
    const { realm_bots: bots } = await client.must('post', 'register', { fetch_event_types: ['realm_bot'] });
    expect(bots).toMatchObject([{ user_id: botId, ...hidden }]);
    const { realm_bots: all } = await owner.must('post', 'register', { fetch_event_types: ['realm_bot'] });
    expect(all).toContainEqual(
      expect.objectContaining({ user_id: botId, default_sending_stream: `Vaults of ${id}` }),
    );
    const renamed = await client.must('patch', `bots/${botId}`, { full_name: `Warden of ${id}` });
    expect(renamed).toMatchObject(hidden);
  });

  it('are refused where their name, kind or maker will not do', async () => {
    const request = { full_name: 'Unique Bot', short_name: 'unique' };
    await ada.must('post', 'bots', request);
    expect(told(await ada.post('bots', { ...request, short_name: 'u2' }))).toMatch(/already in use/);
    expect(told(await ada.post('bots', { ...request, full_name: 'U2' }))).toMatch(/already in use/);
    expect(told(await ada.post('bots', { full_name: 'U3', short_name: 'u3', bot_type: 9 }))).toMatch(
      /bot type/,
    );
    for (const short_name of ['u 3', ' ', '']) {
      expect(told(await ada.post('bots', { full_name: 'U3', short_name }))).toMatch(/^400 BAD_REQUEST/);
    }
    expect(told(await gil.post('bots', { full_name: 'U4', short_name: 'u4' }))).toMatch(
      /Insufficient permission/,
    );
  });

  it('that only take webhooks can do nothing but send', async () => {
    const hook = { full_name: 'Hook', short_name: 'hook', bot_type: 2 };
    const made = await ada.must('post', 'bots', hook);
    const user = await lookUp(made['user_id']);
    const bot = new ApiClient(server.site, { email: user.email, key: made['api_key'] as string });
    const { status, body } = await bot.get('users/me');
    expect(status).toBe(401);
    expect(body).toMatchObject({ code: 'UNAUTHORIZED' });
    await bot.must('post', 'messages', { type: 'direct', to: [adaId], content: 'hooked' });
  });
});

describe('user groups', () => {
  it('begin with those that follow from roles', async () => {
    const { user_groups: groups } = await ada.must('get', 'user_groups');
    expect((await gil.get('user_groups')).body.msg).toBe('Not allowed for guest users');
    const system = (groups as Fields[]).filter((group) => group['is_system_group']);
    expect(system.map((group) => group['name']).sort()).toEqual([
      'role:administrators',
      'role:everyone',
      'role:fullmembers',
      'role:internet',
      'role:members',
      'role:moderators',
      'role:nobody',
      'role:owners',
    ]);
    expect(system.find((group) => group['name'] === 'role:owners')).toEqual({
      id: 7,
      name: 'role:owners',
      creator_id: null,
      date_created: null,
      description: 'Owners of this organization',
      members: [ownerId],
      direct_subgroup_ids: [],
      is_system_group: true,
      can_add_members_group: 8,
      can_join_group: 8,
      can_leave_group: 8,
      can_manage_group: 8,
      can_mention_group: 8,
      can_remove_members_group: 8,
      deactivated: false,
    });
  });

  it('are made by members and changed by those who manage them', async () => {
    const request = { name: 'support', description: 'Helpers', members: [adaId], subgroups: [6] };
    const { group_id: id } = await ada.must('post', 'user_groups/create', request);
    const { user_groups: groups } = await ada.must('get', 'user_groups');
    expect((groups as Fields[]).find((group) => group['id'] === id)).toMatchObject({
      creator_id: adaId,
      members: [adaId],
      direct_subgroup_ids: [6],
      is_system_group: false,
      can_manage_group: { direct_members: [adaId], direct_subgroups: [] },
      can_mention_group: 2,
    });
    const path = `user_groups/${id}/members`;
    expect((await gil.must('get', path))['members']).toEqual([ownerId, adminId, adaId].sort((a, b) => a - b));
    expect((await gil.must('get', path, { direct_member_only: true }))['members']).toEqual([adaId]);
    await ada.must('post', path, { add: [gilId], delete: [adaId] });
    expect((await ada.must('get', `${path}/${gilId}`))['is_user_group_member']).toBe(true);
    expect((await ada.must('get', `${path}/${adaId}`))['is_user_group_member']).toBe(false);

    expect(told(await gil.post(path, { add: [adaId] }))).toBe('400 BAD_REQUEST Insufficient permission');
    expect(told(await ada.post(path, { add: [gilId] }))).toMatch(/already a member/);
    expect(told(await ada.post(path, { delete: [adaId] }))).toMatch(/no member/);
    expect(told(await ada.post(path))).toMatch(/Nothing to do/);
    expect(told(await ada.post('user_groups/create', request))).toBe(
      "400 BAD_REQUEST User group 'support' already exists.",
    );
  });

  it('are renamed, described, given to others, and gone when nothing needs them', async () => {
    const request = { name: 'watch', description: '', members: [adaId] };
    const { group_id: id } = await ada.must('post', 'user_groups/create', request);
    const path = `user_groups/${id}`;
    const changes = { name: 'night watch', description: 'Late', can_join_group: { new: 3, old: 8 } };
    await ada.must('patch', path, changes);
    const found = async (client: ApiClient, all: boolean): Promise<Fields | undefined> => {
      const listing = await client.must('get', 'user_groups', { include_deactivated_groups: all });
      return (listing['user_groups'] as Fields[]).find((group) => group['id'] === id);
    };
    expect(await found(ada, false)).toMatchObject({
      name: 'night watch',
      description: 'Late',
      can_join_group: 3,
    });
    expect(told(await gil.patch(path, { name: 'mine' }))).toBe('400 BAD_REQUEST Insufficient permission');
    expect(told(await ada.patch(path))).toBe('400 BAD_REQUEST No new data supplied');
    expect(told(await ada.patch(path, { can_join_group: { new: 8, old: 8 } }))).toMatch(
      /EXPECTATION_MISMATCH/,
    );
    await owner.must('patch', 'realm', { can_invite_users_group: { new: id as number } });
    const { body } = await ada.post(`${path}/deactivate`);
    expect(body).toMatchObject({
      code: 'CANNOT_DEACTIVATE_GROUP_IN_USE',
      objections: [{ type: 'realm', settings: ['can_invite_users_group'] }],
    });
    await owner.must('patch', 'realm', { can_invite_users_group: { new: 3 } });
    expect(told(await gil.post(`${path}/deactivate`))).toBe('400 BAD_REQUEST Insufficient permission');
    await ada.must('post', `${path}/deactivate`);
    expect(await found(ada, false)).toBeUndefined();
    expect(await found(ada, true)).toMatchObject({ deactivated: true });
    await ada.must('post', `${path}/members`, { add: [gilId] });
    await ada.must('patch', path, { deactivated: false });
    expect(await found(ada, false)).toMatchObject({ deactivated: false });
  });

  it('hold other groups, but never themselves', async () => {
    const create = async (name: string): Promise<number> => {
      const request = { name, description: '', members: [] };
      return (await ada.must('post', 'user_groups/create', request))['group_id'] as number;
    };
    const [outer, inner] = [await create('outer'), await create('inner')];
    await ada.must('post', `user_groups/${outer}/subgroups`, { add: [inner] });
    await ada.must('post', `user_groups/${inner}/members`, { add_subgroups: [6] });
    const subgroups = async (query: object): Promise<unknown> =>
      (await gil.must('get', `user_groups/${outer}/subgroups`, { ...query }))['subgroups'];
    const all = (id: number): Promise<unknown[]> =>
      Promise.all([
        gil.must('get', `user_groups/${id}/subgroups`),
        gil.must('get', `user_groups/${id}/members`),
        gil.must('get', `user_groups/${id}/members/${adaId}`),
        gil.must('get', `user_groups/${id}/members/${gilId}`),
      ]);
    expect(await subgroups({ direct_subgroup_only: true })).toEqual([inner]);
    expect(await subgroups({})).toEqual([6, 7, inner]);
    await ada.must('post', `user_groups/${outer}/members`, { add: [gilId] });
    const active = await all(outer);
    await ada.must('post', `user_groups/${outer}/deactivate`);
    expect(await all(outer)).toEqual(active);
    expect(active[3]).toMatchObject({ is_user_group_member: true });
    await ada.must('patch', `user_groups/${outer}`, { deactivated: false });
    expect(told(await ada.post(`user_groups/${inner}/subgroups`, { add: [outer] }))).toMatch(/^400/);
    expect(told(await gil.post(`user_groups/${outer}/subgroups`, { delete: [inner] }))).toMatch(
      /Insufficient/,
    );
    await ada.must('post', `user_groups/${outer}/subgroups`, { delete: [inner] });
    expect(await subgroups({})).toEqual([]);
    expect(told(await gil.get('user_groups/999/subgroups'))).toBe('400 BAD_REQUEST Invalid user group');
  });

  it('are mentioned only by those who may', async () => {
    const request = { name: 'elders', description: '', members: [adaId], can_mention_group: 6 };
    await ada.must('post', 'user_groups/create', request);
    const mention = (client: ApiClient): Promise<Answer> =>
      client.post('messages', { type: 'direct', to: [adaId], content: '@*elders* hear me' });
    expect(told(await mention(gil))).toMatch(/^400 BAD_REQUEST You are not allowed to mention/);
    expect((await mention(owner)).status).toBe(200);
  });

  it('are refused where they do not exist, or nobody may change them', async () => {
    expect(told(await ada.get('user_groups/999/members'))).toBe('400 BAD_REQUEST Invalid user group');
    expect(told(await ada.get(`user_groups/2/members/999`))).toBe('400 BAD_REQUEST No such user');
    expect(told(await owner.post('user_groups/3/members', { add: [gilId] }))).toMatch(
      /Insufficient permission/,
    );
    const request = { name: 'guests of mine', description: '', members: [] };
    expect(told(await gil.post('user_groups/create', request))).toMatch(/Insufficient permission/);
    expect(told(await ada.post('user_groups/create', { ...request, name: 'role:mine' }))).toMatch(/^400/);
    expect(told(await ada.post('user_groups/create', { ...request, can_join_group: 999 }))).toMatch(/^400/);
  });
});

describe('the server’s settings', () => {
  it('are for everyone to know', async () => {
    const settings = await anonymous().must('get', 'server_settings');
    expect(settings).toMatchObject({
      realm_name: 'Engines',
      realm_url: server.site,
      realm_uri: server.site,
      zulip_version: expect.any(String),
      zulip_feature_level: expect.any(Number),
      authentication_methods: { password: true, email: true, ldap: false },
      external_authentication_methods: [],
      push_notifications_enabled: false,
      is_incompatible: false,
    });
  });
});
