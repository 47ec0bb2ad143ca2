import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { ApiClient, type Answer, type Reply } from '../support/api-client.js';
import { ClientQueue } from '../support/client-queue.js';
import { eventually } from '../support/eventually.js';
import { FakeRelay } from '../support/push-relay.js';
import { TestServer } from '../support/server.js';

const token = 'a-token-of-the-relay';

let relay: FakeRelay;
let server: TestServer;
let owner: ApiClient;
let ada: ApiClient;
let bo: ApiClient;

beforeAll(async () => {
  relay = await FakeRelay.start();
  server = await TestServer.start({ environment: { PUSH_RELAY_URL: relay.url, PUSH_RELAY_TOKEN: token } });
  owner = await server.owner();
  ({ client: ada } = await server.createUser(owner, 'Ada'));
  ({ client: bo } = await server.createUser(owner, 'Bo'));
});

afterAll(async () => {
  await server.stop();
  await relay.stop();
});

beforeEach(() => relay.reset());

async function register(client = ada): Promise<number> {
  return (await client.must('post', 'register_client_device'))['device_id'] as number;
}

function registration(device_id: number, key: Uint8Array): Record<string, unknown> {
  return {
    device_id,
    token_kind: 'fcm',
    token_id: 'dG9rZW4=',
    push_key_id: 7,
    push_key: Buffer.from(key).toString('base64'),
    bouncer_public_key: 'public-key',
    encrypted_push_registration: 'sealed-token',
  };
}

/** A device that notifications can be sent to, and its key. */
async function reachable(client = ada): Promise<{ readonly id: number; readonly key: Buffer }> {
  const id = await register(client);
  const key = randomBytes(32);
  await client.must('post', 'mobile_push/register', registration(id, key));
  return { id, key };
}

const test = (client: ApiClient, parameters = {}): Promise<Answer> =>
  client.post('mobile_push/e2ee/test_notification', parameters);

async function devices(client: ApiClient): Promise<Record<string, Reply>> {
  const state = await client.must('post', 'register', { fetch_event_types: ['device'] });
  return state['devices'] as Record<string, Reply>;
}

describe('a device', () => {
  it('is registered, and removed by its owner alone', async () => {
    const id = await register(bo);
    expect(await register(bo)).not.toBe(id);
    expect(Object.keys(await devices(bo))).toContain(String(id));
    for (const answer of [
      await ada.post('remove_client_device', { device_id: id }),
      await bo.post('remove_client_device', { device_id: 99_999 }),
      await ada.post('mobile_push/register', registration(id, randomBytes(32))),
    ]) {
      expect([answer.status, answer.body.code]).toEqual([400, 'BAD_REQUEST']);
    }
    await bo.must('post', 'remove_client_device', { device_id: id });
    expect((await bo.post('remove_client_device', { device_id: id })).status).toBe(400);
    expect(Object.keys(await devices(bo))).not.toContain(String(id));
    expect(relay.requests).toEqual([]);
  });

  it('is made known to the relay, which is not told its key', async () => {
    const { id, key } = await reachable();
    const [request] = relay.requests;
    expect(request).toMatchObject({ path: '/push/register', authorization: `Bearer ${token}` });
    expect(request?.body).toEqual({
      organization: server.site,
      device_id: id,
      token_kind: 'fcm',
      token_id: 'dG9rZW4=',
      bouncer_public_key: 'public-key',
      encrypted_push_registration: 'sealed-token',
    });
    expect(request?.text).not.toContain(key.toString('base64'));
    expect((await devices(ada))[id]).toEqual({
      push_key_id: 7,
      push_token_id: 'dG9rZW4=',
      pending_push_token_id: null,
      push_token_last_updated_timestamp: expect.any(Number),
      push_registration_error_code: null,
    });
  });

  it('is given another key, another token, or both, and nothing twice', async () => {
    const { id } = await reachable();
    const { token_kind, token_id, bouncer_public_key, encrypted_push_registration } = registration(
      id,
      randomBytes(32),
    );
    const token = { token_kind, token_id, bouncer_public_key, encrypted_push_registration };
    const queue = await ClientQueue.register(ada, ['device']);
    const newKey = randomBytes(32);
    const key = { device_id: id, push_key_id: 8, push_key: newKey.toString('base64') };
    const send = (parameters: object): Promise<Answer> =>
      ada.post('mobile_push/register', { device_id: id, ...parameters });
    relay.requests.length = 0;
    for (const same of [key, key, token, { ...key, ...token }]) expect((await send(same)).status).toBe(200);
    expect(relay.requests).toEqual([]);
    await ada.must('post', 'mobile_push/e2ee/test_notification', { device_id: id });
    expect(relay.readBy(id, newKey)).toHaveLength(1);
    expect((await send({ ...token, token_id: 'bmV3' })).status).toBe(200);
    expect(relay.requests.at(-1)).toMatchObject({ path: '/push/register', body: { token_id: 'bmV3' } });
    expect(await queue.next()).toEqual([
      { type: 'device', op: 'update', device_id: id, push_key_id: 8 },
      expect.objectContaining({
        op: 'update',
        push_key_id: 8,
        push_token_id: 'bmV3',
        pending_push_token_id: null,
      }),
    ]);
    expect((await devices(ada))[id]).toMatchObject({ push_key_id: 8, push_token_id: 'bmV3' });
    relay.requests.length = 0;
    const renewed = { ...key, push_key_id: 9, ...token, token_id: 'bmV3' };
    for (const same of [renewed, renewed]) expect((await send(same)).status).toBe(200);
    expect(relay.requests).toMatchObject([{ path: '/push/register', body: { token_id: 'bmV3' } }]);
    expect(await queue.next()).toMatchObject([{ push_key_id: 9, push_token_id: 'bmV3' }]);
  });

  it.each([
    ['neither key nor token', [], 'BAD_REQUEST'],
    ['half a key', ['push_key'], 'REQUEST_VARIABLE_MISSING'],
    ['half a token', ['token_kind', 'token_id', 'push_key', 'push_key_id'], 'REQUEST_VARIABLE_MISSING'],
    ['a key alone before it ever had one', ['push_key', 'push_key_id'], 'BAD_REQUEST'],
    [
      'a token alone before it has a key',
      ['token_kind', 'token_id', 'bouncer_public_key', 'encrypted_push_registration'],
      'BAD_REQUEST',
    ],
  ])('is not made reachable with %s', async (_what, names, code) => {
    const whole = registration(await register(), randomBytes(32));
    const sent = Object.fromEntries(['device_id', ...names].map((name) => [name, whole[name]]));
    const { status, body } = await ada.post('mobile_push/register', sent);
    expect([status, body.code]).toEqual([400, code]);
    expect(relay.requests).toEqual([]);
  });

  it.each([
    ['a key that is too short', { push_key: randomBytes(31).toString('base64') }],
    ['a key for another cipher', { push_key: Buffer.alloc(33, 0x32).toString('base64') }],
    ['a service that is none', { token_kind: 'pigeon' }],
    ['a token that is no name', { token_id: '<>' }],
    ['an id of its key below zero', { push_key_id: -1 }],
    ['an id of its key above 32 bits', { push_key_id: 2 ** 32 }],
  ])('is not made reachable with %s', async (_what, changes) => {
    const sent = { ...registration(await register(), randomBytes(32)), ...changes };
    const { status, body } = await ada.post('mobile_push/register', sent);
    expect([status, body.code]).toEqual([400, 'BAD_REQUEST']);
    expect(relay.requests).toEqual([]);
  });

  it('causes an event for its owner’s clients', async () => {
    const { queue_id } = await bo.must('post', 'register', { event_types: ['device'] });
    const { id } = await reachable(bo);
    await bo.must('post', 'remove_client_device', { device_id: id });
    const poll = { queue_id, last_event_id: -1, dont_block: true };
    const events = await eventually(
      async () => (await bo.must('get', 'events', poll))['events'] as Reply[],
      (found) => found.length === 3,
    );
    expect(events).toEqual([
      { id: 0, type: 'device', op: 'add', device_id: id },
      expect.objectContaining({ op: 'update', device_id: id, push_key_id: 7 }),
      { id: expect.any(Number), type: 'device', op: 'remove', device_id: id },
    ]);
  });
});

describe('new API keys of a person', () => {
  it('end the registrations of their devices, until an app registers again', async () => {
    const { client: fay } = await server.createUser(owner, 'Fay');
    const [{ id, key }, others] = [await reachable(fay), await reachable()];
    const { api_key: renewed } = await fay.must('post', 'users/me/api_key/regenerate');
    const again = new ApiClient(server.site, { ...fay.credentials!, key: renewed as string });
    expect(await devices(again)).toMatchObject({ [id]: { push_key_id: 7, push_token_id: null } });
    const refused = await test(again, { device_id: id });
    expect([refused.status, refused.body.code]).toEqual([400, 'NO_ACTIVE_PUSH_DEVICE']);
    expect(await devices(ada)).toMatchObject({ [others.id]: { push_token_id: 'dG9rZW4=' } });

    await again.must('post', 'mobile_push/register', registration(id, key));
    expect((await test(again, { device_id: id })).status).toBe(200);
  });
});

describe('a test notification', () => {
  it('arrives at every device of the caller’s, or at one, readable by that device alone', async () => {
    const { client, id: userId } = await server.createUser(owner, 'Cy');
    const first = await reachable(client);
    const prefixed = randomBytes(32);
    const second = await register(client);
    const key = Buffer.concat([Buffer.from([0x31]), prefixed]);
    await client.must('post', 'mobile_push/register', registration(second, key));
    expect((await test(client)).body).toEqual({ result: 'success', msg: '' });
    const expected = {
      type: 'test',
      realm_url: server.site,
      realm_name: 'Palimpsest',
      user_id: userId,
      time: expect.any(Number),
    };
    expect(relay.readBy(first.id, first.key)).toEqual([expected]);
    expect(relay.readBy(second, prefixed)).toEqual([expected]);
    expect(() => relay.readBy(second, first.key)).toThrow();
    expect(relay.requests.at(-1)?.text).not.toContain('Palimpsest');
    await client.must('post', 'mobile_push/e2ee/test_notification', { device_id: second });
    expect(relay.readBy(first.id, first.key)).toHaveLength(1);
    expect(relay.readBy(second, prefixed)).toHaveLength(2);
  });

  it('needs a device that something can be sent to', async () => {
    const { client } = await server.createUser(owner, 'Dot');
    const others = await reachable();
    const silent = await register(client);
    const answers = [
      await test(client),
      await test(client, { device_id: silent }),
      await test(client, { device_id: others.id }),
      await test(client, { device_id: 99_999 }),
    ];
    const removed = await reachable(client);
    await client.must('post', 'remove_client_device', { device_id: removed.id });
    answers.push(await test(client));
    expect(answers.map(({ status, body }) => [status, body.code])).toEqual(
      answers.map(() => [400, 'NO_ACTIVE_PUSH_DEVICE']),
    );
  });

  it.each([401, 402, 403, 404])(
    'says that the administrator must act when the relay answers %d',
    async (status) => {
      await reachable();
      relay.status = status;
      const answer = await test(ada);
      expect([answer.status, answer.body.code]).toEqual([403, 'ADMIN_ACTION_REQUIRED']);
    },
  );

  it.each([
    [500, '{}'],
    [503, ''],
    [200, 'no JSON'],
    [200, '{"unregistered_device_ids":"all"}'],
  ])('says that the relay failed when it answers %d %s', async (status, answer) => {
    await reachable();
    Object.assign(relay, { status, answer });
    const { status: own, body } = await test(ada);
    expect([own, body.code]).toEqual([502, 'INTERNAL_SERVER_ERROR_ON_BOUNCER']);
  });

  it('counts at /metrics what the relay did not do', async () => {
    const failures = async (): Promise<number> => {
      const text = await (await fetch(`${server.site}/metrics`)).text();
      return Number(/^palimpsest_push_failures_total{failure="broken"} (\d+)$/m.exec(text)?.[1] ?? 0);
    };
    await reachable();
    const before = await failures();
    relay.status = 503;
    await test(ada);
    expect(await failures()).toBe(before + 1);
  });

  it('says that the relay cannot be reached when it cannot, and so does a registration', async () => {
    await reachable();
    const { port } = relay;
    await relay.stop();
    const answers = [
      await test(ada),
      await ada.post('mobile_push/register', registration(await register(), randomBytes(32))),
    ];
    expect(answers.map(({ status, body }) => [status, body.code])).toEqual(
      answers.map(() => [502, 'FAILED_TO_CONNECT_BOUNCER']),
    );
    relay = await FakeRelay.start(port);
  });

  it('is sent no more to a device that the relay does not know any more', async () => {
    const { client } = await server.createUser(owner, 'Ed');
    const { id } = await reachable(client);
    relay.answer = JSON.stringify({ unregistered_device_ids: [id] });
    for (const _time of ['found out', 'known']) {
      const { status, body } = await test(client);
      expect([status, body.code]).toEqual([400, 'NO_ACTIVE_PUSH_DEVICE']);
    }
    expect(relay.requests.filter(({ path }) => path === '/push/notify')).toHaveLength(1);
    relay.answer = '{}';
    await client.must('post', 'mobile_push/register', registration(id, randomBytes(32)));
    expect((await test(client)).status).toBe(200);
  });
});

describe('a server with a relay', () => {
  it('says that it sends notifications', async () => {
    expect((await ada.must('get', 'server_settings'))['push_notifications_enabled']).toBe(true);
    const state = await ada.must('post', 'register', { fetch_event_types: ['realm'] });
    expect(state['realm_push_notifications_enabled']).toBe(true);
  });
});

describe('a server without a relay', () => {
  it('makes no device reachable, and says so', async () => {
    const other = await TestServer.start();
    try {
      const { client } = await other.createUser(await other.owner(), 'Flo');
      expect((await client.must('get', 'server_settings'))['push_notifications_enabled']).toBe(false);
      const id = await register(client);
      const refused = await client.post('mobile_push/register', registration(id, randomBytes(32)));
      expect([refused.status, refused.body.code]).toEqual([400, 'PUSH_SERVICE_NOT_CONFIGURED']);
      const answer = await test(client);
      expect([answer.status, answer.body.code]).toEqual([400, 'NO_ACTIVE_PUSH_DEVICE']);
    } finally {
      await other.stop();
    }
  });
});

it('keys of devices and the relay’s token stand in no log line', () => {
  const log = server.log.join('\n');
  expect(log).not.toContain(token);
  expect(log).not.toContain('push_key');
});
