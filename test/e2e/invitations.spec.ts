import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiClient, type Reply } from '../support/api-client.js';
import { eventually } from '../support/eventually.js';
import { MailServer } from '../support/mail-server.js';
import { Outbox } from '../support/outbox.js';
import { ServerStores } from '../support/server-stores.js';
import { TestServer } from '../support/server.js';

let stores: ServerStores;
let directory: string;
let server: TestServer;
let outbox: Outbox;
let owner: ApiClient;
let ownerId: number;
let ada: ApiClient;
let adaId: number;
let guest: ApiClient;
let anonymous: ApiClient;
let lab: number;
let hall: number;
let secret: number;

const day = 24 * 60;

async function channelOf(client: ApiClient, name: string, options = {}): Promise<number> {
  return client.createChannel(name, options);
}

beforeAll(async () => {
  stores = await ServerStores.open();
  directory = await mkdtemp(join(tmpdir(), 'palimpsest-invitations-'));
  server = await TestServer.start({ stores, directory });
  outbox = new Outbox(directory);
  owner = await server.owner();
  ownerId = (await owner.must('get', 'users/me'))['user_id'] as number;
  ({ client: ada, id: adaId } = await server.createUser(owner, 'Ada'));
  const made = await server.createUser(owner, 'Gus');
  guest = made.client;
  await owner.must('patch', `users/${made.id}`, { role: 600 });
  anonymous = new ApiClient(server.site, null);
  hall = await channelOf(owner, 'hall', { is_default_stream: true });
  lab = await channelOf(ada, 'lab');
  secret = await channelOf(owner, 'secret', { invite_only: true });
});

afterAll(async () => {
  await server.stop();
  await stores.close();
  await rm(directory, { recursive: true, force: true });
});

const invite = (
  client: ApiClient,
  invitee_emails: string,
  rest: object = {},
): ReturnType<ApiClient['post']> => client.post('invites', { invitee_emails, stream_ids: [], ...rest });

const tokenOf = (link: string): string => link.slice(link.lastIndexOf('/') + 1);

async function accept(email: string, count = 1): Promise<{ client: ApiClient; id: number }> {
  const token = tokenOf(await outbox.linkTo(email, count));
  const full_name = email.split('@')[0]!;
  const joined = await anonymous.must('post', 'join', { token, full_name, password: 'mauve loom 1843' });
  return {
    client: new ApiClient(server.site, { email, key: joined['api_key'] as string }),
    id: joined['user_id'] as number,
  };
}

async function listed(client: ApiClient): Promise<Reply[]> {
  return (await client.must('get', 'invites'))['invites'] as Reply[];
}

async function directMessages(client: ApiClient): Promise<Reply[]> {
  const narrow = [{ operator: 'is', operand: 'dm' }];
  const page = { anchor: 'newest', num_before: 100, num_after: 0, narrow, apply_markdown: false };
  return (await client.must('get', 'messages', page))['messages'] as Reply[];
}

async function channelsOf(client: ApiClient): Promise<string[]> {
  const { subscriptions } = await client.must('get', 'users/me/subscriptions');
  return (subscriptions as Reply[]).map(({ name }) => name as string).sort();
}

describe('an invitation', () => {
  it('is mailed, and makes an account with its channels, groups and role', async () => {
    const group = (await owner.must('post', 'user_groups/create', {
      name: 'crew',
      description: '',
      members: [ownerId],
    })) as { group_id?: number };
    const { user_groups } = await owner.must('get', 'user_groups');
    const groupId =
      group.group_id ?? ((user_groups as Reply[]).find(({ name }) => name === 'crew')!['id'] as number);
    const email = 'cy@example.com';
    const answer = await invite(owner, `Cy Borg <${email}>`, {
      invite_as: 300,
      stream_ids: [lab],
      group_ids: [groupId],
      include_realm_default_subscriptions: true,
      welcome_message_custom_text: 'Ask **Ada** for a desk.',
    });
    expect([answer.status, answer.body]).toEqual([200, { result: 'success', msg: '' }]);
    const received = await outbox.emailTo(email);
    expect(received.subject).toBe('Owner has invited you to join Palimpsest');
    expect(received.from?.address).toBe('noreply@palimpsest.localhost');

    const { client, id } = await accept(email);
    const me = await client.must('get', 'users/me');
    expect(me).toMatchObject({ email, full_name: 'cy', role: 300, is_bot: false });
    expect(await channelsOf(client)).toEqual(['hall', 'lab']);
    const { members } = await owner.must('get', `user_groups/${groupId}/members`);
    expect(members).toEqual([ownerId, id]);
    const greetings = await directMessages(client);
    expect(greetings.map(({ sender_full_name: name }) => name)).toEqual(['Welcome Bot', 'Welcome Bot']);
    expect(greetings[0]?.['content']).toContain('welcome to Palimpsest');
    expect(greetings[1]?.['content']).toBe('Ask **Ada** for a desk.');
    expect(greetings.map(({ flags }) => flags)).toEqual([[], []]);
    const told = await directMessages(owner);
    expect(told.at(-1)).toMatchObject({
      sender_full_name: 'Notification Bot',
      content: `@_**cy|${id}** accepted your invitation to join Palimpsest!`,
    });
    expect(await listed(owner)).toEqual([]);
  });

  it('that makes an auditor tells the owner who sent it of both', async () => {
    await owner.must('post', 'invites', {
      invitee_emails: 'eve@example.com',
      stream_ids: [],
      invite_as: 100,
    });
    const { id } = await accept('eve@example.com');
    const toldOfEve = async (): Promise<readonly string[]> =>
      (await directMessages(owner))
        .map(({ content }) => content as string)
        .filter((content) => content.includes(`@_**eve|${id}**`));
    const told = await eventually(toldOfEve, (all) => all.length > 1);
    expect(told).toHaveLength(2);
    expect(told).toContain(`@_**eve|${id}** accepted your invitation to join Palimpsest!`);
    expect(told).toContainEqual(expect.stringContaining(`New auditors: @_**eve|${id}**.`));
    await owner.must('delete', `users/${id}`);
  });

  it('can be accepted once', async () => {
    await invite(owner, 'once@example.com');
    await accept('once@example.com');
    const token = tokenOf(await outbox.linkTo('once@example.com'));
    const again = { token, full_name: 'Somebody Else', password: 'stolen-key' };
    const { status, body } = await anonymous.post('join', again);
    expect([status, body.code]).toEqual([400, 'BAD_REQUEST']);
    const login = { username: 'once@example.com', password: 'stolen-key' };
    expect((await anonymous.post('fetch_api_key', login)).status).toBe(401);
  });

  it('let in one person, however many send the form at once', async () => {
    await invite(owner, 'rush@example.com');
    const token = tokenOf(await outbox.linkTo('rush@example.com'));
    const passwords = ['engines-1', 'engines-2', 'engines-3', 'engines-4'];
    const replies = await Promise.all(
      passwords.map((password) => anonymous.post('join', { token, full_name: 'Rush', password })),
    );
    const [winner] = replies.flatMap(({ status }, index) => (status === 200 ? [passwords[index]!] : []));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    const logIn = { username: 'rush@example.com', password: winner };
    expect(await anonymous.must('post', 'fetch_api_key', logIn)).toMatchObject({ email: 'rush@example.com' });
  });

  it('promises nothing that it does not name, and tells the inviter only if they want', async () => {
    const before = (await directMessages(ada)).length;
    await invite(ada, 'dot@example.com', { notify_referrer_on_join: false });
    const { client } = await accept('dot@example.com');
    expect(await channelsOf(client)).toEqual([]);
    expect(await directMessages(ada)).toHaveLength(before);
    expect(await directMessages(client)).toHaveLength(1);
  });

  it('brings no welcome text of somebody who is no administrator, and none when it is empty', async () => {
    await invite(ada, 'ed@example.com', { welcome_message_custom_text: 'Buy my engines!' });
    await owner.must('patch', 'realm', { welcome_message_custom_text: 'The canteen is downstairs.' });
    const ed = await accept('ed@example.com');
    expect((await directMessages(ed.client)).map(({ content }) => content).slice(1)).toEqual([
      'The canteen is downstairs.',
    ]);
    await invite(owner, 'flo@example.com', { welcome_message_custom_text: '' });
    const flo = await accept('flo@example.com');
    expect(await directMessages(flo.client)).toHaveLength(1);
    await owner.must('patch', 'realm', { welcome_message_custom_text: '' });
  });

  it('of one address voids the others when it is accepted', async () => {
    await invite(ada, 'twice@example.com');
    await invite(owner, 'TWICE@example.com');
    await outbox.emailTo('twice@example.com');
    await accept('TWICE@example.com');
    expect(await listed(owner)).toEqual([]);
  });

  it('ends with its time', async () => {
    await invite(owner, 'late@example.com', { invite_expires_in_minutes: 5 });
    await invite(owner, 'ever@example.com', { invite_expires_in_minutes: null });
    await invite(owner, 'default@example.com');
    const now = Date.now() / 1000;
    const found = await listed(owner);
    const expiries = found.map(({ email, expiry_date: expiry }) => [email, expiry as number | null]);
    const minutes = expiries.map(([email, expiry]) => [
      email,
      expiry === null ? null : Math.round(((expiry as number) - now) / 60),
    ]);
    expect(minutes).toEqual([
      ['late@example.com', 5],
      ['ever@example.com', null],
      ['default@example.com', 10 * day],
    ]);
    for (const { id } of found) await owner.must('delete', `invites/${id}`);
  });

  it('of a deactivated inviter is void', async () => {
    const { client, id } = await server.createUser(owner, 'Brief');
    await invite(client, 'orphan@example.com');
    const token = tokenOf(await outbox.linkTo('orphan@example.com'));
    await owner.must('delete', `users/${id}`);
    const answer = await anonymous.post('join', { token, full_name: 'Orphan', password: 'mauve loom 1843' });
    expect([answer.status, answer.body.code]).toEqual([400, 'BAD_REQUEST']);
    expect(await listed(owner)).toEqual([]);
  });

  it('makes no account of a bad name or password, and still can', async () => {
    await invite(owner, 'picky@example.com');
    const token = tokenOf(await outbox.linkTo('picky@example.com'));
    const attempts = [
      { token, full_name: 'P', password: 'mauve loom 1843' },
      { token, full_name: 'Picky', password: 'short' },
      { token: 'nonsense', full_name: 'Picky', password: 'mauve loom 1843' },
      { full_name: 'Picky', password: 'mauve loom 1843' },
    ];
    for (const attempt of attempts) expect((await anonymous.post('join', attempt)).status).toBe(400);
    await accept('picky@example.com');
  });
});

describe('sending invitations', () => {
  const refused: readonly [string, () => ApiClient, object, string?][] = [
    ['a guest', () => guest, {}],
    ['no address', () => ada, { invitee_emails: ' , \n' }],
    ['an unknown channel', () => owner, { stream_ids: [99_999] }],
    ['a role that is none', () => owner, { invite_as: 500 }],
    ['a member who makes an owner', () => ada, { invite_as: 100 }, 'UNAUTHORIZED_PRINCIPAL'],
    ['a member who makes an administrator', () => ada, { invite_as: 200 }, 'UNAUTHORIZED_PRINCIPAL'],
    ['a member who makes a moderator', () => ada, { invite_as: 300 }, 'UNAUTHORIZED_PRINCIPAL'],
    ['an unknown group', () => owner, { group_ids: [99_999] }],
    ['a group that follows from roles', () => owner, { group_ids: [3] }],
    ['no time at all', () => owner, { invite_expires_in_minutes: 0 }],
    ['a long welcome text', () => owner, { welcome_message_custom_text: '👋'.repeat(8001) }],
  ];

  it.each(refused)('is refused for %s', async (what, client, rest) => {
    const code = refused.find(([one]) => one === what)?.[3] ?? 'BAD_REQUEST';
    const { status, body } = await invite(client(), 'x@example.com', rest);
    expect([status, body.code]).toEqual([400, code]);
    expect(await listed(owner)).toEqual([]);
  });

  it('needs its required parameters', async () => {
    const answers = [
      await owner.post('invites', { stream_ids: [] }),
      await owner.post('invites', { invitee_emails: 'x@example.com' }),
    ];
    expect(answers.map(({ body }) => [body.code, body['var_name']])).toEqual([
      ['REQUEST_VARIABLE_MISSING', 'invitee_emails'],
      ['REQUEST_VARIABLE_MISSING', 'stream_ids'],
    ]);
  });

  it('is refused for a channel out of reach as for none', async () => {
    const unknown = await invite(ada, 'x@example.com', { stream_ids: [99_999] });
    const hidden = await invite(ada, 'x@example.com', { stream_ids: [secret] });
    expect(hidden.body.msg).toBe(unknown.body.msg.replace('99999', String(secret)));
  });

  it('takes a welcome text of 8000 code points', async () => {
    const text = '👋'.repeat(8000);
    const { status } = await invite(owner, 'wordy@example.com', { welcome_message_custom_text: text });
    expect(status).toBe(200);
    const [invitation] = await listed(owner);
    await owner.must('delete', `invites/${invitation!['id']}`);
  });

  it('sends none when an address is malformed', async () => {
    const { status, body } = await invite(owner, 'fine@example.com\nnot an address, other@example.com');
    expect(status).toBe(400);
    expect(body).toMatchObject({
      result: 'error',
      code: 'INVITATION_FAILED',
      daily_limit_reached: false,
      license_limit_reached: false,
      sent_invitations: false,
      errors: [['not an address', expect.any(String), false]],
    });
    expect(await listed(owner)).toEqual([]);
  });

  it('sends none when all have accounts, and the rest when some have', async () => {
    const { id } = await server.createUser(owner, 'Former');
    await owner.must('delete', `users/${id}`);
    const all = await invite(owner, 'ADA@example.com, former@example.com');
    expect(all.body).toMatchObject({
      code: 'INVITATION_FAILED',
      sent_invitations: false,
      errors: [
        ['ADA@example.com', expect.any(String), false],
        ['former@example.com', expect.any(String), true],
      ],
    });
    const some = await invite(owner, 'ada@example.com, new@example.com, new@example.com');
    expect([some.status, some.body['sent_invitations'], some.body['errors']]).toEqual([
      400,
      true,
      [['ada@example.com', expect.any(String), false]],
    ]);
    const found = await listed(owner);
    expect(found.map(({ email }) => email)).toEqual(['new@example.com']);
    await outbox.emailTo('new@example.com');
    await owner.must('delete', `invites/${found[0]!['id']}`);
  });

  it('sends none when an address may not join', async () => {
    await owner.must('post', 'realm/domains', { domain: 'engines.example', allow_subdomains: false });
    await owner.must('patch', 'realm', { emails_restricted_to_domains: true });
    const addresses = ['fine@engines.example', 'x@example.com', 'fine+x@engines.example'];
    const { body } = await invite(owner, addresses.join(','));
    expect([body.code, body['sent_invitations']]).toEqual(['INVITATION_FAILED', false]);
    expect((body['errors'] as string[][]).map(([email]) => email)).toEqual(addresses.slice(1));
    await owner.must('post', 'invites', { invitee_emails: addresses[0], stream_ids: [] });
    await owner.must('patch', 'realm', { emails_restricted_to_domains: false });
    await invite(owner, 'outside@example.com');
    const token = tokenOf(await outbox.linkTo('outside@example.com'));
    await owner.must('patch', 'realm', { emails_restricted_to_domains: true });
    const answer = await anonymous.post('join', { token, full_name: 'Outside', password: 'mauve loom 1843' });
    expect([answer.status, answer.body.code]).toEqual([400, 'BAD_REQUEST']);
    await accept('fine@engines.example');
    await owner.must('patch', 'realm', { emails_restricted_to_domains: false });
    for (const { id } of await listed(owner)) await owner.must('delete', `invites/${id}`);
  });

  it('names channels other than the defaults only by those who may subscribe others', async () => {
    await owner.must('patch', 'realm', { can_add_subscribers_group: JSON.stringify({ new: 6 }) });
    const { client: bo } = await server.createUser(owner, 'Bo');
    for (const stream_ids of [[lab], [hall, lab]]) {
      const { status, body } = await invite(bo, 'x@example.com', { stream_ids });
      expect([status, body.code]).toEqual([400, 'BAD_REQUEST']);
    }
    expect((await invite(bo, 'x@example.com', { stream_ids: [hall] })).status).toBe(200);
    // She administers the channel that she made.
    expect((await invite(ada, 'y@example.com', { stream_ids: [lab, hall] })).status).toBe(200);
    const defaults = { include_realm_default_subscriptions: true };
    expect((await invite(bo, 'zed@example.com', defaults)).status).toBe(200);
    const { client: zed } = await accept('zed@example.com');
    expect(await channelsOf(zed)).toEqual(['hall']);
    for (const { id } of await listed(owner)) await owner.must('delete', `invites/${id}`);
    await owner.must('patch', 'realm', { can_add_subscribers_group: JSON.stringify({ new: 3 }) });
  });

  it('is for those whom the organization lets invite, though others still see their own', async () => {
    await invite(ada, 'earlier@example.com');
    await owner.must('patch', 'realm', { can_invite_users_group: JSON.stringify({ new: 6 }) });
    const { status, body } = await invite(ada, 'x@example.com');
    expect([status, body.code]).toEqual([400, 'BAD_REQUEST']);
    const hers = await listed(ada);
    expect(hers).toEqual([expect.objectContaining({ email: 'earlier@example.com' })]);
    await ada.must('delete', `invites/${hers[0]!['id']}`);
    await owner.must('patch', 'realm', { can_invite_users_group: JSON.stringify({ new: 3 }) });
  });

  it('is not for bots', async () => {
    const { api_key: key } = await ada.must('post', 'bots', { full_name: 'Ticker', short_name: 'ticker' });
    const bot = new ApiClient(server.site, { email: 'ticker-bot@palimpsest.localhost', key });
    const { status, body } = await invite(bot, 'x@example.com');
    expect([status, body.code]).toEqual([400, 'BAD_REQUEST']);
  });
});

describe('invitations that stand', () => {
  it('are listed for administrators, and for others their own', async () => {
    await invite(ada, 'hers@example.com', { invite_as: 600 });
    await invite(owner, 'his@example.com', { notify_referrer_on_join: false });
    const all = await listed(owner);
    expect(all).toEqual([
      {
        id: expect.any(Number),
        email: 'hers@example.com',
        invited_by_user_id: adaId,
        invited: expect.any(Number),
        expiry_date: expect.any(Number),
        invited_as: 600,
        is_multiuse: false,
        notify_referrer_on_join: true,
      },
      expect.objectContaining({ email: 'his@example.com', notify_referrer_on_join: false }),
    ]);
    expect(await listed(ada)).toEqual(all.slice(0, 1));
    expect((await guest.get('invites')).status).toBe(400);
  });

  it('are revoked by their inviter and by administrators, once', async () => {
    const [hers, his] = await listed(owner);
    const link = await outbox.linkTo('hers@example.com');
    const denied = await ada.delete(`invites/${his!['id']}`);
    expect([denied.status, denied.body.code]).toEqual([400, 'UNAUTHORIZED_PRINCIPAL']);
    await ada.must('delete', `invites/${hers!['id']}`);
    await owner.must('delete', `invites/${his!['id']}`);
    const again = await owner.delete(`invites/${his!['id']}`);
    expect([again.status, again.body.code]).toEqual([400, 'BAD_REQUEST']);
    expect(await listed(owner)).toEqual([]);
    const joining = { token: tokenOf(link), full_name: 'Revoked', password: 'mauve loom 1843' };
    expect((await anonymous.post('join', joining)).status).toBe(400);
  });

  it('are taken back once their address is given an account otherwise', async () => {
    await invite(ada, 'made@example.com');
    const token = tokenOf(await outbox.linkTo('made@example.com'));
    await owner.must('post', 'users', {
      email: 'made@example.com',
      full_name: 'Made',
      password: 'mauve loom 1843',
    });
    await eventually(
      () => listed(owner),
      (all) => all.every(({ email }) => email !== 'made@example.com'),
    );
    const join = { token, full_name: 'Made', password: 'mauve loom 1843' };
    expect((await anonymous.post('join', join)).status).toBe(400);
  });

  it('are sent again with the same link', async () => {
    await invite(ada, 'again@example.com');
    const [invitation] = await listed(ada);
    const first = await outbox.linkTo('again@example.com');
    await ada.must('post', `invites/${invitation!['id']}/resend`);
    expect(await outbox.linkTo('again@example.com', 2)).toBe(first);
    expect((await owner.post('invites/99999/resend')).status).toBe(400);
    const { client } = await server.createUser(owner, 'Other');
    const denied = await client.post(`invites/${invitation!['id']}/resend`);
    expect([denied.status, denied.body.code]).toEqual([400, 'UNAUTHORIZED_PRINCIPAL']);
    await ada.must('delete', `invites/${invitation!['id']}`);
    expect((await ada.post(`invites/${invitation!['id']}/resend`)).status).toBe(400);
  });
});

describe('clients', () => {
  it('of administrators and of the inviter are told that invitations changed', async () => {
    const { client: bystander } = await server.createUser(owner, 'Bystander');
    const clients = [owner, ada, bystander];
    const queues = await Promise.all(
      clients.map(async (client) => {
        const { queue_id } = await client.must('post', 'register', { event_types: ['invites_changed'] });
        return { client, queue_id: queue_id as string };
      }),
    );
    const told = (): Promise<number[]> =>
      Promise.all(
        queues.map(async ({ client, queue_id }) => {
          const poll = { queue_id, last_event_id: -1, dont_block: true };
          const { events } = await client.must('get', 'events', poll);
          return (events as Reply[]).filter(({ type }) => type === 'invites_changed').length;
        }),
      );
    await invite(ada, 'told@example.com');
    await eventually(told, (counts) => String(counts) === '1,1,0');
    const [invitation] = await listed(ada);
    await ada.must('post', `invites/${invitation!['id']}/resend`);
    await ada.must('delete', `invites/${invitation!['id']}`);
    await eventually(told, (counts) => String(counts) === '3,3,0');
    await invite(owner, 'untold@example.com');
    await eventually(told, (counts) => String(counts) === '4,3,0');
    await accept('untold@example.com');
    await eventually(told, (counts) => String(counts) === '5,3,0');
  });
});

describe('a reusable link', () => {
  it('is made by those who may, and listed with its address', async () => {
    const denied = await ada.post('invites/multiuse', { stream_ids: [lab] });
    expect([denied.status, denied.body.code]).toEqual([400, 'BAD_REQUEST']);
    const { invite_link } = await owner.must('post', 'invites/multiuse', { stream_ids: [lab] });
    const [link] = await listed(owner);
    expect(link).toEqual({
      id: expect.any(Number),
      invited_by_user_id: ownerId,
      invited: expect.any(Number),
      expiry_date: expect.any(Number),
      invited_as: 400,
      is_multiuse: true,
      link_url: invite_link,
    });
    expect((await owner.delete(`invites/${link!['id']}`)).status).toBe(400);
    await owner.must('delete', `invites/multiuse/${link!['id']}`);
    const request = { token: tokenOf(invite_link as string), email: 'gone@example.com' };
    expect((await anonymous.post('join_requests', request)).status).toBe(400);
  });

  it('lets anybody join with an address that they can read the mail of', async () => {
    const { invite_link } = await owner.must('post', 'invites/multiuse', { stream_ids: [lab] });
    const token = tokenOf(invite_link as string);
    expect((await anonymous.post('join_requests', { token, email: 'nobody' })).status).toBe(400);
    for (const email of ['ivy@example.com', 'jo@example.com']) {
      await anonymous.must('post', 'join_requests', { token, email });
      const { client } = await accept(email);
      expect(await channelsOf(client)).toEqual(['lab']);
    }
    // The link itself makes no account, and says nothing of who has one.
    expect(
      (await anonymous.post('join', { token, full_name: 'Ivy', password: 'mauve loom 1843' })).status,
    ).toBe(400);
    expect((await anonymous.post('join_requests', { token, email: 'ada@example.com' })).status).toBe(200);
    for (const _time of [1, 2, 3, 4, 5]) {
      await anonymous.must('post', 'join_requests', { token, email: 'flood@example.com' });
    }
    await anonymous.must('post', 'join_requests', { token, email: 'last@example.com' });
    await outbox.emailTo('last@example.com');
    expect(await outbox.to('flood@example.com')).toHaveLength(3);
    expect(await outbox.to('ada@example.com')).toEqual([]);
    const found = await listed(owner);
    expect(found.map(({ is_multiuse }) => is_multiuse)).toEqual([true]);
    await owner.must('delete', `invites/multiuse/${found[0]!['id']}`);
    // Whoever asked by it before cannot join any more.
    const late = tokenOf(await outbox.linkTo('last@example.com'));
    const answer = await anonymous.post('join', {
      token: late,
      full_name: 'Last',
      password: 'mauve loom 1843',
    });
    expect(answer.status).toBe(400);
  });
});

describe('joining without an invitation', () => {
  it('is for organizations that allow it', async () => {
    const request = { email: 'walk-in@example.com' };
    expect((await anonymous.post('join_requests', request)).status).toBe(400);
    await owner.must('patch', 'realm', { invite_required: false });
    await anonymous.must('post', 'join_requests', request);
    await owner.must('patch', 'realm', { invite_required: true });
    const { client } = await accept('walk-in@example.com');
    expect(await channelsOf(client)).toEqual(['hall']);
    expect(await directMessages(client)).toHaveLength(1);
  });
});

describe('the page behind a link', () => {
  async function page(
    url: string,
    form?: Record<string, string>,
  ): Promise<{ headers: Headers; html: string }> {
    const body = form && new URLSearchParams(form).toString();
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const response = await fetch(url, body === undefined ? {} : { method: 'POST', headers, body });
    expect(response.status).toBe(200);
    return { headers: response.headers, html: await response.text() };
  }

  it('is a form without scripts that makes the account', async () => {
    await invite(owner, 'page@example.com');
    const url = await outbox.linkTo('page@example.com');
    const { headers, html } = await page(url);
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(html).toContain('<strong>page@example.com</strong>');
    expect(html).toContain('<h1>Join Palimpsest</h1>');
    expect(html).toContain('<p>Owner has invited you.</p>');
    expect(html).not.toContain('<script');
    const action = /action="([^"]+)"/.exec(html)![1]!;
    const evil = '"><script>alert(1)</script>';
    const refused = await page(server.site + action, { full_name: evil, password: 'mauve loom 1843' });
    expect(refused.html).toContain('role="alert"');
    expect(refused.html).not.toContain('<script');
    const done = await page(server.site + action, { full_name: 'Page', password: 'mauve loom 1843' });
    expect(done.html).toContain('You can now log in as page@example.com');
    await anonymous.must('post', 'fetch_api_key', {
      username: 'page@example.com',
      password: 'mauve loom 1843',
    });
    expect((await page(url)).html).toContain('This link does not work');
  });

  it('of a reusable link asks for an address', async () => {
    const { invite_link } = await owner.must('post', 'invites/multiuse');
    expect((await page(invite_link as string)).html).toContain('name="email"');
    const { html } = await page(invite_link as string, { email: 'by-page@example.com' });
    expect(html).toContain('A link is on its way to by-page@example.com');
    await outbox.emailTo('by-page@example.com');
    expect((await page(`${server.site}/join/nonsense`)).html).toContain('This link does not work');
  });
});

describe('e-mails', () => {
  it('wait while the mail server is down, and come once when it is back, also after a crash', async () => {
    const mail = await MailServer.start();
    const { url, port } = mail;
    await mail.stop();
    await server.stop();
    const environment = {
      SMTP_URL: url,
      MAIL_FROM: 'Engines <chat@engines.example>',
      INVITATIONS_PER_DAY: '60',
    };
    server = await TestServer.start({ stores, directory, environment });
    owner = owner.at(server.site);
    await owner.must('post', 'invites', { invitee_emails: 'patient@example.com', stream_ids: [] });
    await eventually(
      async () => server.log.filter((line) => line.includes('An e-mail could not be sent')),
      (lines) => lines.length > 0,
    );
    await server.kill();
    server = await TestServer.start({ stores, directory, environment });
    owner = owner.at(server.site);
    const back = await MailServer.start(port);
    const [received] = await eventually(
      async () => back.mailTo('patient@example.com'),
      (all) => all.length > 0,
    );
    expect(received).toMatchObject({ from: { name: 'Engines', address: 'chat@engines.example' } });
    expect(received?.text).toContain('/join/');
    await owner.must('post', 'invites', { invitee_emails: 'next@example.com', stream_ids: [] });
    await eventually(
      async () => back.mailTo('next@example.com'),
      (all) => all.length > 0,
    );
    expect(back.mailTo('patient@example.com')).toHaveLength(1);
    // A day has only so many.
    const many = Array.from({ length: 60 }, (_, index) => `many${index}@example.com`).join(',');
    const refused = await owner.post('invites', { invitee_emails: many, stream_ids: [] });
    expect(refused.body).toMatchObject({
      code: 'INVITATION_FAILED',
      daily_limit_reached: true,
      sent_invitations: false,
      errors: [],
    });
    await back.stop();
    // On servers a process that was killed holds its leases for a while.
  });

  it('leave no token in the log of the process', () => {
    expect(server.log.join('\n')).not.toContain('/join/');
  });
});
