import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ApiClient, type Answer } from '../support/api-client.js';
import { TestServer } from '../support/server.js';

interface ApiKey {
  readonly id: string;
  readonly client: string | null;
  readonly created_at: number;
  readonly last_used_at: number | null;
  readonly is_current: boolean;
}

const roles = { administrator: 200, moderator: 300, member: 400, guest: 600 } as const;
const actors = ['owner', ...Object.keys(roles), 'bot'];

let server: TestServer;
const clients = new Map<string, ApiClient>();

beforeAll(async () => {
  server = await TestServer.start();
  const owner = await server.owner();
  clients.set('owner', owner);
  for (const [name, role] of Object.entries(roles)) {
    const { client, id } = await server.createUser(owner, name);
    if (role !== 400) await owner.must('patch', `users/${id}`, { role });
    clients.set(name, client);
  }
  clients.set('bot', (await server.createBot(owner, 'relay')).client);
});

afterAll(async () => {
  await server.stop();
});

/** The client of one of the {@link actors}. */
function clientOf(actor: string): ApiClient {
  const client = clients.get(actor);
  if (client === undefined) throw new Error(`Nobody is called ${actor}`);
  return client;
}

const keysOf = async (client: ApiClient): Promise<readonly ApiKey[]> =>
  (await client.must('get', 'users/me/api_keys'))['api_keys'] as ApiKey[];

const told = ({ status, body }: Answer): string => `${status} ${body.code} ${body.msg}`;

async function logIn(name: string, userAgent: string): Promise<ApiClient> {
  const email = `${name}@example.com`;
  const anonymous = new ApiClient(server.site, null, userAgent);
  const login = { username: email, password: `secret-of-${name}` };
  const { api_key: key } = await anonymous.must('post', 'fetch_api_key', login);
  return new ApiClient(server.site, { email, key: key as string }, userAgent);
}

describe.each(actors)('the API keys of the %s', (actor) => {
  it('are listed to themselves, without the keys', async () => {
    const client = clientOf(actor);
    const answer = await client.must('get', 'users/me/api_keys');
    const isGiven = !['owner', 'bot'].includes(actor);
    expect(answer['api_keys']).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f]{16}$/),
        client: isGiven ? 'PalimpsestTests' : null,
        created_at: expect.any(Number),
        last_used_at: expect.any(Number),
        is_current: true,
      },
    ]);
    expect(JSON.stringify(answer)).not.toContain(client.credentials?.key);
  });

  it('are neither seen nor revoked by anybody else', async () => {
    const [key] = await keysOf(clientOf(actor));
    for (const [name, other] of clients) {
      if (name === actor) continue;
      expect((await keysOf(other)).map(({ id }) => id)).not.toContain(key?.id);
      expect(told(await other.delete(`users/me/api_keys/${key?.id}`))).toBe(
        '400 BAD_REQUEST No such API key',
      );
    }
    expect(await keysOf(clientOf(actor))).toHaveLength(1);
  });
});

describe('revoking an API key', () => {
  it('ends that one at once and leaves the others, and the log tells of it', async () => {
    const [phone, script] = [await logIn('guest', 'Phone/1'), await logIn('guest', 'script/2')];
    const keys = await keysOf(phone);
    const [ofScript, ofPhone] = ['script', 'Phone'].map((name) => keys.find(({ client }) => client === name));
    expect([ofScript?.is_current, ofPhone?.is_current]).toEqual([false, true]);
    await script.must('get', 'users/me');
    await phone.must('delete', `users/me/api_keys/${ofScript?.id}`);
    expect(told(await script.get('users/me'))).toBe('401 UNAUTHORIZED Invalid API key');
    await phone.must('get', 'users/me');
    expect((await keysOf(phone)).map(({ client }) => client)).toEqual(['PalimpsestTests', 'Phone']);
    expect(told(await phone.delete(`users/me/api_keys/${ofScript?.id}`))).toMatch(/No such API key$/);
    const { events } = await clientOf('owner').must('get', 'audit/log', { type: 'ApiKeyRevoked' });
    expect(JSON.stringify(events)).toContain('"client":"script"');
  });

  it('may be of the key that asks', async () => {
    const phone = await logIn('guest', 'Phone/1');
    const current = (await keysOf(phone)).find(({ is_current: isCurrent }) => isCurrent);
    await phone.must('delete', `users/me/api_keys/${current?.id}`);
    expect((await phone.get('users/me')).status).toBe(401);
  });
});

it('a script that logs in again and again ends its own keys and not the phone', async () => {
  const phone = await logIn('member', 'Phone/1');
  const script = await logIn('member', 'script/2');
  for (let each = 0; each < 100; each += 1) await logIn('member', 'script/2');
  expect((await keysOf(phone)).filter(({ client }) => client === 'Phone')).toHaveLength(1);
  expect(await keysOf(phone)).toHaveLength(100);
  expect((await script.get('users/me')).status).toBe(401);
});
