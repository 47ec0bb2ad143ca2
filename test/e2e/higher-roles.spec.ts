import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ApiClient, type Reply } from '../support/api-client.js';
import { eventually } from '../support/eventually.js';
import { TestServer } from '../support/server.js';

/** Roles by name, and what those are worth that have them. */
const roles = { owner: 100, administrator: 200, moderator: 300, member: 400, guest: 600 } as const;
type RoleName = keyof typeof roles;
const roleNames = Object.keys(roles) as readonly RoleName[];

/** Somebody who looks, or tries. */
interface Viewer {
  readonly role: number;
  readonly isBot: boolean;
  readonly id: number;
  readonly client: ApiClient;
}

/** What somebody must not learn who is less than it makes them. */
interface Worth {
  readonly role: number;
  /** Of the bot, or of the link. */
  readonly id: number;
}

let server: TestServer;
let owner: ApiClient;
const viewers = new Map<string, Viewer>();
const bots = new Map<RoleName, Worth>();
const links = new Map<RoleName, Worth & { readonly url: string }>();

beforeAll(async () => {
  server = await TestServer.start();
  owner = await server.owner();
  for (const name of roleNames) {
    const role = roles[name];
    const person = await server.createUser(owner, `Some ${name}`);
    await owner.must('patch', `users/${person.id}`, { role });
    viewers.set(name, { ...person, role, isBot: false });
    const bot = await server.createBot(owner, `Bot as ${name}`);
    await owner.must('patch', `bots/${bot.id}`, { role });
    const email = bot.client.credentials?.email ?? '';
    viewers.set(`bot with the role of ${name}`, {
      id: bot.id,
      client: new ApiClient(server.site, { email, key: await keyOf(bot.id) }),
      role,
      isBot: true,
    });
    const { id } = await server.createBot(owner, `Worth ${name}`);
    await owner.must('patch', `bots/${id}`, { role });
    bots.set(name, { role, id });
    const { invite_link: url } = await owner.must('post', 'invites/multiuse', { invite_as: role });
    const invites = (await owner.must('get', 'invites'))['invites'] as Reply[];
    links.set(name, { role, id: invites.at(-1)!['id'] as number, url: url as string });
  }
});

afterAll(() => server.stop());

const viewerNames = roleNames.flatMap((name) => [name, `bot with the role of ${name}`]);

async function keyOf(botId: number): Promise<string> {
  return (await owner.must('get', `bots/${botId}/api_key`))['api_key'] as string;
}

function viewer(name: string): Viewer {
  return viewers.get(name)!;
}

const allEvents = ['realm_bot', 'realm_user', 'invites_changed', 'realm'];

/** Everything that an account may ask for, as text. */
async function everythingRead({ client }: Viewer): Promise<string> {
  const paths = [
    'bots',
    'users',
    'users/me',
    'invites',
    ...[...bots.values()].map(({ id }) => `bots/${id}/api_key`),
  ];
  const answers = await Promise.all(paths.map((path) => client.get(path)));
  const { queue_id: _queue, ...state } = await client.must('post', 'register');
  return JSON.stringify([...answers.map(({ body }) => body), state]);
}

/** Whether an account may learn what makes others of a role: administrators may of all that is no more than they are. */
function mayLearn({ role: own }: Viewer, { role }: Worth): boolean {
  return own <= roles.administrator && role >= own;
}

describe('a bot’s key or an invitation link that gives a higher role', () => {
  it.each(viewerNames)(
    'is in lists and in the initial state only if it is not of a higher role, for a %s',
    async (name) => {
      const who = viewer(name);
      const text = await everythingRead(who);
      for (const worth of bots.values()) {
        expect([name, worth.role, text.includes(await keyOf(worth.id))]).toEqual([
          name,
          worth.role,
          mayLearn(who, worth),
        ]);
      }
      for (const worth of links.values()) {
        const isSeen = mayLearn(who, worth) && !who.isBot;
        expect([name, worth.role, text.includes(worth.url)]).toEqual([name, worth.role, isSeen]);
      }
    },
  );

  it('is in no event, when keys are renewed and when bots are given to others', async () => {
    const queues = await Promise.all(
      viewerNames.map(async (name) => {
        const { client } = viewer(name);
        const { queue_id } = await client.must('post', 'register', { event_types: allEvents });
        return { name, client, queue_id: queue_id as string };
      }),
    );
    const keys = new Map<RoleName, readonly string[]>();
    for (const [name, { id }] of bots) {
      const { api_key: renewed } = await owner.must('post', `bots/${id}/api_key/regenerate`);
      await owner.must('patch', `bots/${id}`, { bot_owner_id: viewer('member').id });
      const given = await keyOf(id);
      await owner.must('patch', `bots/${id}`, { bot_owner_id: 3 });
      keys.set(name, [renewed as string, given, await keyOf(id)]);
    }
    await owner.must('patch', 'realm', { description: 'the last event' });
    for (const { name, client, queue_id } of queues) {
      const told = await eventually(
        async () =>
          JSON.stringify(
            (await client.must('get', 'events', { queue_id, last_event_id: -1, dont_block: true }))['events'],
          ),
        (text) => text.includes('the last event'),
      );
      for (const [worth, [renewed, given]] of keys) {
        const seen = [renewed, given].map((key) => told.includes(key!));
        const may = mayLearn(viewer(name), bots.get(worth)!);
        const owns = name === 'member' && roles[worth] >= roles.member;
        expect([name, worth, seen]).toEqual([name, worth, [may, may || owns]]);
      }
    }
  });

  it.each(viewerNames)('is not for a %s to change, renew, take over, revoke or bring back', async (name) => {
    const who = viewer(name);
    for (const worth of bots.values()) {
      const path = `bots/${worth.id}`;
      const key = await keyOf(worth.id);
      if (mayLearn(who, worth)) {
        await who.client.must('patch', path, { full_name: `Renamed ${name} ${worth.role}` });
        continue;
      }
      const tries = [
        await who.client.get(`${path}/api_key`),
        await who.client.post(`${path}/api_key/regenerate`),
        await who.client.patch(path, { full_name: 'Mine' }),
        await who.client.patch(path, { bot_owner_id: who.isBot ? viewer('member').id : who.id }),
        await who.client.patch(path, { role: who.role }),
        await who.client.patch(`users/${worth.id}`, { full_name: 'Mine' }),
        await who.client.delete(path),
        await who.client.delete(`users/${worth.id}`),
        await who.client.post(`users/${worth.id}/reactivate`),
      ];
      expect(tries.map(({ status }) => status)).toEqual(Array<number>(tries.length).fill(400));
      expect(await keyOf(worth.id)).toBe(key);
    }
    for (const worth of links.values()) {
      if (mayLearn(who, worth)) continue;
      expect((await who.client.delete(`invites/multiuse/${worth.id}`)).status).toBe(400);
      expect((await who.client.post(`invites/${worth.id}/resend`)).status).toBe(400);
    }
    expect(await listedLinks(owner)).toEqual([...links.values()].map(({ url }) => url));
  });
});

describe('a person who loses a role', () => {
  it('loses access to secrets that give it: links that they made, and keys of bots', async () => {
    const { client, id } = await server.createUser(owner, 'Former');
    await owner.must('patch', `users/${id}`, { role: roles.owner });
    const { invite_link: link } = await client.must('post', 'invites/multiuse', { invite_as: roles.owner });
    const bot = await server.createBot(client, 'Former Bot');
    await client.must('patch', `bots/${bot.id}`, { role: roles.owner });
    const { api_key: key } = await client.must('get', `bots/${bot.id}/api_key`);
    const known = new ApiClient(server.site, { email: bot.client.credentials?.email ?? '', key });
    await known.must('get', 'users/me');
    await owner.must('patch', `users/${id}`, { role: roles.member });
    expect((await known.get('users/me')).status).toBe(401);
    expect((await client.get(`bots/${bot.id}/api_key`)).status).toBe(400);
    expect((await client.must('get', 'bots'))['bots']).toMatchObject([{ api_key: '' }]);
    expect(await listedLinks(client)).toEqual([]);
    const anonymous = new ApiClient(server.site, null);
    const token = String(link).split('/').at(-1);
    const asked = await anonymous.post('join_requests', { token, email: 'late@example.com' });
    expect([asked.status, asked.body.code]).toEqual([400, 'BAD_REQUEST']);
  });
});

async function listedLinks(client: ApiClient): Promise<readonly string[]> {
  const { invites } = await client.must('get', 'invites');
  return (invites as Reply[])
    .filter(({ is_multiuse }) => is_multiuse)
    .map(({ link_url }) => link_url as string);
}
