import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ApiClient, Reply } from '../support/api-client.js';
import { Observer } from '../support/client-state/observer.js';
import { eventually } from '../support/eventually.js';
import { everyCapability } from '../support/listener.js';
import { Random } from '../support/random-requests/random.js';
import { randomRequest } from '../support/random-requests/random-requests.js';
import { World } from '../support/random-requests/world.js';
import { TestServer } from '../support/server.js';

/** Other values find other sequences of requests; CI takes always the same. */
const SEED = Number(process.env['CLIENT_STATE_SEED'] ?? 1);
const ROUNDS = Number(process.env['CLIENT_STATE_ROUNDS'] ?? 30);
const REQUESTS_A_ROUND = 8;

const roles = { admin: 200, moderator: 300, member: 400, other: 400, guest: 600 } as const;

let server: TestServer;
let owner: ApiClient;
const clients: ApiClient[] = [];
const ids: number[] = [];

beforeAll(async () => {
  server = await TestServer.start();
  owner = await server.owner();
  clients.push(owner);
  ids.push((await owner.must('get', 'users/me'))['user_id'] as number);
  for (const [name, role] of Object.entries(roles)) {
    const { client, id } = await server.createUser(owner, name);
    clients.push(client);
    ids.push(id);
    if (role !== 400) await owner.must('patch', `users/${id}`, { role });
  }
});

afterAll(async () => {
  await server.stop();
});

/** Sends a request, and returns it with its outcome in words. */
async function send(random: Random, world: World): Promise<string> {
  const client = random.chance(0.5) ? random.one(...clients.slice(0, 2)) : random.one(...clients);
  const [method, path, parameters = {}] = randomRequest(random, world);
  const { status, body }: { status: number; body: Reply } = await client[method](path, parameters);
  const said = `${client.credentials?.email}: ${method} ${path} ${JSON.stringify(parameters)} -> ${status}`;
  if (status >= 500) throw new Error(said);
  if (method === 'post' && path === 'messages' && status === 200) {
    const topic = (parameters['topic'] as string | undefined) ?? null;
    world.messages.push({ id: body['id'] as number, topic });
  }
  return said;
}

describe.each([
  ['with all capabilities', everyCapability, SEED],
  ['without capabilities', { notification_settings_null: false }, SEED + 1],
] as const)('a client %s', (_kind, capabilities, seed) => {
  it('knows from events what it is told when it registers anew', async () => {
    const observers = await Promise.all(clients.map((client) => Observer.register(client, capabilities)));
    const random = new Random(seed);
    const world = new World(() => observers[0]!.state, ids);
    for (let round = 0; round < ROUNDS; round += 1) {
      const requests: string[] = [];
      for (let count = 0; count < REQUESTS_A_ROUND; count += 1) requests.push(await send(random, world));
      const mark = `Round ${round} of ${seed}`;
      await owner.must('patch', 'realm', { description: mark });
      for (const [index, observer] of observers.entries()) {
        await observer.follow(
          ({ type, ...event }) => type === 'realm' && event['data']?.description === mark,
        );
        const client = clients[index]?.credentials?.email;
        const compare = async () => ({ seed, client, requests, differences: await observer.differences() });
        const { differences } = await eventually(compare, (one) => one.differences.length === 0);
        expect(differences).toEqual([]);
      }
    }
  });
});
