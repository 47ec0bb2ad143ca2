import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ApiClient } from '../support/api-client.js';
import { TestServer } from '../support/server.js';

let server: TestServer;
let owner: ApiClient;
let administrator: ApiClient;
let member: ApiClient;
let memberId: number;

beforeAll(async () => {
  server = await TestServer.start();
  owner = await server.owner();
  const ada = await server.createUser(owner, 'Ada');
  administrator = ada.client;
  await owner.must('patch', `users/${ada.id}`, { role: 200 });
  ({ client: member, id: memberId } = await server.createUser(owner, 'Bo'));
});

afterAll(async () => {
  await server.stop();
});

async function changed(changes: object): Promise<void> {
  await owner.must('patch', 'realm', { ...changes });
}

async function channel(client: ApiClient, name: string): Promise<number> {
  return client.createChannel(name);
}

describe('settings of the organization', () => {
  it('are told to whoever asks the server for them', async () => {
    await changed({ name: ' Difference Engines ', description: 'We *compute*' });
    const { realm_name } = await new ApiClient(server.site, null).must('get', 'server_settings');
    expect(realm_name).toBe('Difference Engines');
  });

  it('decide for how long a message is edited, until they say otherwise', async () => {
    const to = await channel(member, 'editing');
    const sent = await member.must('post', 'messages', { type: 'channel', to, topic: 't', content: 'a' });
    await changed({ allow_message_editing: false });
    const edit = (): Promise<{ status: number }> => member.patch(`messages/${sent['id']}`, { content: 'b' });
    expect((await edit()).status).toBe(400);
    await changed({ allow_message_editing: true, message_content_edit_limit_seconds: 'unlimited' });
    expect((await edit()).status).toBe(200);
  });

  it('decide whether the empty topic is used', async () => {
    const to = await channel(member, 'topics');
    await changed({ topics_policy: 'disable_empty_topic' });
    const send = (): Promise<{ status: number }> =>
      member.post('messages', { type: 'channel', to, topic: '', content: 'a' });
    expect((await send()).status).toBe(400);
    await changed({ topics_policy: 'allow_empty_topic' });
    expect((await send()).status).toBe(200);
  });

  it('are unchanged by a value that they do not take', async () => {
    for (const value of [0, -5, 'soon']) {
      const { status, body } = await owner.patch('realm', { message_content_edit_limit_seconds: value });
      expect({ status, code: body.code }).toEqual({ status: 400, code: 'BAD_REQUEST' });
    }
    expect((await owner.patch('realm', { topics_policy: 'sometimes' })).status).toBe(400);
    expect((await owner.patch('realm', { allow_message_editing: 'perhaps' })).status).toBe(400);
  });

  it('are for administrators, and some of them for owners', async () => {
    const byMember = await member.patch('realm', { name: 'Mine' });
    expect(byMember.body).toMatchObject({ code: 'UNAUTHORIZED_PRINCIPAL' });
    const byAdministrator = await administrator.patch('realm', { invite_required: false });
    expect(byAdministrator.body).toMatchObject({ code: 'UNAUTHORIZED_PRINCIPAL' });
    await administrator.must('patch', 'realm', { enable_read_receipts: true });
    await changed({ invite_required: false });
  });

  it('name parameters that there are not as ignored', async () => {
    const reply = await owner.must('patch', 'realm', { digest_weekday: 2, colour: 'red' });
    expect(reply['ignored_parameters_unsupported']).toEqual(['colour']);
  });
});

describe('passwords', () => {
  it('are as hard to guess as owners want, who may set those that were good before', async () => {
    const register = async (): Promise<unknown> =>
      (await member.must('post', 'register', { event_types: ['realm'], fetch_event_types: ['realm'] }))[
        'password_min_guesses'
      ];
    const create = async (name: string, password: string): Promise<number> =>
      (await owner.post('users', { email: `${name}@example.com`, password, full_name: name })).status;
    expect(await register()).toBe(10_000);
    expect(await create('wim', 'aaaaaa')).toBe(400);
    expect((await administrator.patch('realm', { password_min_guesses: 0 })).status).toBe(400);
    await changed({ password_min_guesses: 0 });
    expect([await register(), await create('wim', 'aaaaaa')]).toEqual([0, 200]);
    await changed({ password_min_guesses: 1_000_000_000 });
    expect(await create('ym', 'correct horse')).toBe(400);
    expect(await create('ym', 'mauve loom 1843 crank')).toBe(200);
    // One that was set before stays good.
    const logIn = { username: 'wim@example.com', password: 'aaaaaa' };
    await new ApiClient(server.site, null).must('post', 'fetch_api_key', logIn);
    await changed({ password_min_guesses: 10_000 });
  });
});

describe('messages that are sent', () => {
  it('are rendered as the organization and their sender want it at that time', async () => {
    const to = await channel(member, 'rendering');
    const rendered = async (content: string): Promise<string> => {
      const { id } = await member.must('post', 'messages', { type: 'channel', to, topic: 't', content });
      const { message } = await member.must('get', `messages/${id}`);
      return (message as { readonly content: string }).content;
    };
    const [code, picture] = ['```\nx = 1\n```', 'https://example.com/loom.png'];
    expect(await rendered(picture)).toContain('<img');
    await changed({ default_code_block_language: 'python', inline_image_preview: false });
    await member.must('patch', 'settings', { translate_emoticons: true });
    expect(await rendered(code)).toContain('data-code-language="Python"');
    expect(await rendered(picture)).not.toContain('<img');
    expect(await rendered('fine :)')).toContain('emoji');
    await changed({ default_code_block_language: '', inline_image_preview: true });
    await member.must('patch', 'settings', { translate_emoticons: false });
    expect(await rendered(code)).not.toContain('data-code-language');
    expect(await rendered('fine :)')).not.toContain('emoji');
  });
});

describe('permissions of the organization', () => {
  it('decide who may do what from then on', async () => {
    const create = (): Promise<{ status: number }> =>
      member.post('users/me/subscriptions', { subscriptions: [{ name: 'from a member' }] });
    await changed({ can_create_public_channel_group: { new: 6, old: 3 } });
    expect((await create()).status).toBe(400);
    const people = { direct_members: [memberId], direct_subgroups: [6] };
    await changed({ can_create_public_channel_group: { new: people } });
    expect((await create()).status).toBe(200);
  });

  it('are not changed by a client that believes in another value', async () => {
    const { body } = await owner.patch('realm', { can_create_groups: { new: 5, old: 6 } });
    expect(body).toMatchObject({ code: 'EXPECTATION_MISMATCH', field_name: 'old' });
  });

  it('are given only to groups that may have them', async () => {
    const { group_id: custom } = await owner.must('post', 'user_groups/create', {
      name: 'helpers',
      description: '',
      members: [],
    });
    const change = { can_create_web_public_channel_group: { new: custom as number } };
    expect((await owner.patch('realm', change)).body).toMatchObject({
      code: 'SYSTEM_GROUP_REQUIRED',
      setting_name: 'can_create_web_public_channel_group',
    });
    expect((await owner.patch('realm', { can_invite_users_group: { new: 2 } })).status).toBe(400);
    expect((await owner.patch('realm', { can_invite_users_group: { new: 999 } })).status).toBe(400);
  });
});

describe('allowed domains', () => {
  const listed = async (): Promise<unknown> => (await member.must('get', 'realm/domains'))['domains'];

  it('are added, listed, changed and removed by owners', async () => {
    const added = await owner.must('post', 'realm/domains', {
      domain: ' Example.COM',
      allow_subdomains: false,
    });
    expect(added['new_domain']).toEqual([expect.any(Number), 'example.com']);
    expect(await listed()).toEqual([{ domain: 'example.com', allow_subdomains: false }]);
    await owner.must('patch', 'realm/domains/example.com', { allow_subdomains: true });
    expect(await listed()).toEqual([{ domain: 'example.com', allow_subdomains: true }]);
    const again = await owner.post('realm/domains', { domain: 'example.com', allow_subdomains: true });
    expect(again.body).toMatchObject({ result: 'error', code: 'BAD_REQUEST' });
    await owner.must('delete', 'realm/domains/example.com');
    expect(await listed()).toEqual([]);
  });

  it('are refused for what is no domain, and where there is none', async () => {
    const wrong = await owner.post('realm/domains', { domain: 'example', allow_subdomains: false });
    expect(wrong.body).toMatchObject({ code: 'BAD_REQUEST' });
    const incomplete = await owner.post('realm/domains', { domain: 'example.com' });
    expect(incomplete.body).toMatchObject({
      code: 'REQUEST_VARIABLE_MISSING',
      var_name: 'allow_subdomains',
    });
    const unknown = await owner.patch('realm/domains/example.net', { allow_subdomains: true });
    expect([unknown.status, unknown.body.code]).toEqual([400, 'BAD_REQUEST']);
    expect((await owner.delete('realm/domains/example.net')).status).toBe(400);
  });

  it('are nobody’s but the owners’ to change', async () => {
    await owner.must('post', 'realm/domains', { domain: 'example.org', allow_subdomains: false });
    for (const client of [administrator, member]) {
      const attempts = [
        await client.post('realm/domains', { domain: 'mine.org', allow_subdomains: false }),
        await client.patch('realm/domains/example.org', { allow_subdomains: true }),
        await client.delete('realm/domains/example.org'),
      ];
      expect(attempts.map(({ body }) => body.code)).toEqual(Array(3).fill('UNAUTHORIZED_PRINCIPAL'));
    }
    await owner.must('delete', 'realm/domains/example.org');
  });

  it('restrict who gets an account, where the organization wants that', async () => {
    await owner.must('post', 'realm/domains', { domain: 'example.com', allow_subdomains: false });
    await changed({ emails_restricted_to_domains: true });
    const person = { password: 'secret-enough', full_name: 'Cy' };
    const stranger = await owner.post('users', { ...person, email: 'cy@elsewhere.org' });
    expect(stranger.body).toMatchObject({ code: 'BAD_REQUEST' });
    await owner.must('post', 'users', { ...person, email: 'cy@example.com' });
    await owner.must('delete', 'realm/domains/example.com');
    await owner.must('post', 'users', { ...person, full_name: 'Di', email: 'di@elsewhere.org' });
  });
});

describe('code playgrounds', () => {
  const rust = {
    name: 'Rust play',
    pygments_language: 'Rust',
    url_template: 'https://rust.example.com/?c={code}',
  };
  const add = async (client: ApiClient, name = rust.name): Promise<number> =>
    (await client.must('post', 'realm/playgrounds', { ...rust, name }))['id'] as number;

  async function holderOf(role: number): Promise<ApiClient> {
    const { client, id } = await server.createUser(owner, `Holder of ${role}`);
    await owner.must('patch', `users/${id}`, { role });
    return client;
  }

  it('are added and removed by administrators', async () => {
    const [first, second] = [await add(administrator), await add(owner, 'Other play')];
    await administrator.must('delete', `realm/playgrounds/${first}`);
    await owner.must('delete', `realm/playgrounds/${second}`);
    expect((await administrator.delete(`realm/playgrounds/${first}`)).status).toBe(400);
  });

  it('are refused where something is missing or wrong, or where there is none', async () => {
    for (const missing of ['name', 'pygments_language', 'url_template']) {
      const { body } = await owner.post('realm/playgrounds', { ...rust, [missing]: undefined });
      expect(body).toMatchObject({ code: 'REQUEST_VARIABLE_MISSING', var_name: missing });
    }
    const url_template = 'https://rust.example.com/';
    const wrong = await owner.post('realm/playgrounds', { ...rust, url_template });
    const msg = 'Missing the required variable "code" in the URL template';
    expect([wrong.status, wrong.body]).toMatchObject([400, { msg, errors: { __all__: [msg] } }]);
    const unknown = await owner.delete('realm/playgrounds/9999');
    expect([unknown.status, unknown.body]).toMatchObject([400, { msg: 'Invalid playground' }]);
  });

  it('are nobody’s but administrators’ to change', async () => {
    const id = await add(owner);
    const [moderator, guest] = [await holderOf(300), await holderOf(600)];
    for (const client of [moderator, member, guest]) {
      const attempts = [
        await client.post('realm/playgrounds', { ...rust, name: 'Mine' }),
        await client.delete(`realm/playgrounds/${id}`),
      ];
      expect(attempts.map(({ body }) => body.code)).toEqual(Array(2).fill('UNAUTHORIZED_PRINCIPAL'));
    }
    await owner.must('delete', `realm/playgrounds/${id}`);
  });
});

describe('what the server tells of itself', () => {
  it('is what clients ask for before they log in, the organization’s description as HTML', async () => {
    await changed({ description: 'We *compute*' });
    const reply = await new ApiClient(server.site, null).must('get', 'server_settings');
    expect(reply).toMatchObject({
      zulip_feature_level: 505,
      zulip_version: expect.any(String),
      zulip_merge_base: expect.any(String),
      authentication_methods: { password: true, email: true, ldap: false },
      external_authentication_methods: [],
      push_notifications_enabled: false,
      is_incompatible: false,
      email_auth_enabled: true,
      require_email_format_usernames: true,
      realm_url: server.site,
      realm_uri: server.site,
      realm_icon: expect.stringMatching(/^http:.*\/static\/images\/default-avatar\.png/),
      realm_description: '<p>We <em>compute</em></p>',
      realm_web_public_access_enabled: false,
    });
  });
});
