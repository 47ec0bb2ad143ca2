import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { budgets } from '../../src/kernel/budgets.js';
import type { Answer, ApiClient } from '../support/api-client.js';
import { FakeRelay } from '../support/push-relay.js';
import { TestServer } from '../support/server.js';

let relay: FakeRelay;
let server: TestServer;
let owner: ApiClient;

beforeAll(async () => {
  relay = await FakeRelay.start();
  server = await TestServer.start({ environment: { PUSH_RELAY_URL: relay.url } });
  owner = await server.owner();
});

afterAll(async () => {
  await server.stop();
  await relay.stop();
});

beforeEach(() => relay.reset());

const apns = 'users/me/apns_device_token';
const fcm = 'users/me/android_gcm_reg_id';
const test = 'mobile_push/test_notification';
const appid = 'org.example.Looms';

async function person(name: string): Promise<ApiClient> {
  return (await server.createUser(owner, name)).client;
}

interface Notified {
  readonly device_id: number;
  readonly token: string;
}

const notified = (): readonly Notified[] =>
  relay.requests.flatMap(({ body }) => body.notifications as readonly Notified[]);

const refusal = ({ status, body }: Answer): readonly unknown[] => [status, body.code];

describe('the token of a device', () => {
  it('receives a test notification, until it is removed', async () => {
    const client = await person('Ada');
    await client.must('post', apns, { token: 'c0ffee', appid });
    await client.must('post', apns, { token: 'c0ffee', appid });
    await client.must('post', fcm, { token: 'of an android' });
    await client.must('post', test);
    expect(relay.requests.map(({ path }) => path)).toEqual(['/push/notify_by_token']);
    const fields = { event: 'test', realm_url: expect.any(String), user_id: expect.stringMatching(/^\d+$/) };
    expect(notified()).toMatchObject([
      { token_kind: 'apns', token: 'c0ffee', app_id: appid, payload: fields },
      { token_kind: 'fcm', token: 'of an android', app_id: null, payload: fields },
    ]);
    await client.must('delete', apns, { token: 'c0ffee' });
    relay.requests.length = 0;
    await client.must('post', test);
    expect(notified().map(({ token }) => token)).toEqual(['of an android']);
    expect(refusal(await client.delete(apns, { token: 'c0ffee' }))).toEqual([400, 'BAD_REQUEST']);
    expect(refusal(await client.post(test, { token: 'c0ffee' }))).toEqual([400, 'INVALID_PUSH_DEVICE_TOKEN']);
  });

  it('is its owner\u2019s alone, and nobody needs one', async () => {
    const [client, other] = [await person('Bo'), await person('Cy')];
    await client.must('post', fcm, { token: 'mine' });
    expect((await other.delete(fcm, { token: 'mine' })).status).toBe(400);
    expect(refusal(await other.post(test, { token: 'mine' }))).toEqual([400, 'INVALID_PUSH_DEVICE_TOKEN']);
    await other.must('post', test);
    expect(relay.requests).toEqual([]);
  });

  it('is forgotten when the relay knows it no more', async () => {
    const client = await person('Di');
    await client.must('post', fcm, { token: 'old' });
    await client.must('post', test);
    const [sent] = notified();
    relay.answer = JSON.stringify({ unregistered_device_ids: [sent?.device_id] });
    await client.must('post', test);
    expect((await client.delete(fcm, { token: 'old' })).status).toBe(400);
  });

  it('stands in neither the list of devices nor the log', async () => {
    const client = await person('Ed');
    await client.must('post', fcm, { token: 'a-secret-of-the-device' });
    const { devices } = await client.must('post', 'register', { fetch_event_types: ['device'] });
    expect(devices).toEqual({});
    const { events } = await owner.must('get', 'audit/log', { type: 'DeviceTokenAdded' });
    expect(events).not.toEqual([]);
    expect(JSON.stringify(events)).not.toContain('a-secret-of-the-device');
  });

  it('is refused when it is empty, too long or no hexadecimal text, and of bots', async () => {
    const client = await person('Flo');
    const { max } = budgets.deviceTokenLength;
    for (const token of ['', 'x'.repeat(max + 1)]) {
      expect(refusal(await client.post(fcm, { token }))).toEqual([400, 'BAD_REQUEST']);
    }
    await client.must('post', fcm, { token: 'x'.repeat(max) });
    for (const token of ['', 'abc', 'xyzw']) {
      expect(refusal(await client.post(apns, { token, appid }))).toEqual([400, 'BAD_REQUEST']);
    }
    const { client: bot } = await server.createBot(client, 'Robin');
    expect((await bot.post(fcm, { token: 'a' })).status).toBe(400);
  });

  it('is refused beyond the maximum number of a person', async () => {
    const client = await person('Gil');
    const { max } = budgets.deviceTokens;
    for (let count = 0; count < max; count += 1) await client.must('post', fcm, { token: `token ${count}` });
    expect(refusal(await client.post(fcm, { token: 'one more' }))).toEqual([400, 'BAD_REQUEST']);
  });

  it('is not told what the relay refuses', async () => {
    const client = await person('Hal');
    await client.must('post', fcm, { token: 'mine' });
    relay.status = 500;
    expect(refusal(await client.post(test))).toEqual([502, 'INTERNAL_SERVER_ERROR_ON_BOUNCER']);
  });
});
