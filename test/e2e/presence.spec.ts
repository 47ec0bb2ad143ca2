import { beforeAll, describe, expect, it } from '@jest/globals';
import { ada, adaId, bo, boId, owner, server } from '../support/ada-and-bo.js';
import type { ApiClient, Reply } from '../support/api-client.js';

let bot: ApiClient;
let botId: number;

beforeAll(async () => {
  ({ client: bot, id: botId } = await server.createBot(ada, 'Relay'));
});

async function report(client: ApiClient, parameters: object = {}): Promise<Reply> {
  return client.must('post', 'users/me/presence', { status: 'active', ...parameters });
}

describe('presence', () => {
  it('is reported, and given by address or, slim, by id', async () => {
    const before = Math.floor(Date.now() / 1000);
    await report(bo);
    const all = await report(ada);
    const timestamp = all['presences']['ada@example.com']['aggregated']['timestamp'] as number;
    expect(timestamp).toBeGreaterThanOrEqual(before);
    const aggregated = { client: 'website', status: 'active', timestamp };
    expect(all['presences']['ada@example.com']).toEqual({
      aggregated,
      website: { ...aggregated, pushable: false },
    });
    expect(Object.keys(all['presences'] as object).sort()).toEqual(['ada@example.com', 'bo@example.com']);
    expect(all['server_timestamp']).toBeGreaterThanOrEqual(timestamp);
    const slim = await report(ada, { slim_presence: true });
    expect(slim['presences'][boId]).toEqual({
      active_timestamp: expect.any(Number),
      idle_timestamp: expect.any(Number),
    });
  });

  it('is given of what changed since an answer only', async () => {
    await report(ada);
    const { presence_last_update_id: last_update_id } = await report(bo, { slim_presence: true });
    await report(ada);
    const { presences } = await report(owner, { last_update_id });
    expect(Object.keys(presences as object)).toContain(String(adaId));
    expect(Object.keys(presences as object)).not.toContain(String(boId));
  });

  it('is looked up of everyone, and of one person by id or address', async () => {
    await report(ada, { status: 'idle' });
    const { presences, server_timestamp } = await bo.must('get', 'realm/presence');
    expect(presences['ada@example.com']['aggregated']['status']).toBe('active');
    expect(server_timestamp).toEqual(expect.any(Number));
    for (const whom of [adaId, 'ada@example.com']) {
      const { presence, server_timestamp: now } = await bo.must('get', `users/${whom}/presence`);
      const since = { status: 'active', timestamp: expect.any(Number) };
      const times = { active_timestamp: expect.any(Number), idle_timestamp: expect.any(Number) };
      expect(presence).toEqual({ ...times, aggregated: since, website: since });
      expect(now).toEqual(expect.any(Number));
    }
  });

  it('is not returned for a request that is only a ping', async () => {
    expect(await report(ada, { ping_only: true })).toEqual({ result: 'success', msg: '' });
  });

  it('is neither stored nor shown for somebody who turned it off', async () => {
    const { client, id } = await server.createUser(owner, 'Cas');
    await report(client);
    await client.must('patch', 'settings', { presence_enabled: false });
    const all = await report(client, { slim_presence: true });
    expect(Object.keys(all['presences'] as object)).toContain(String(boId));
    expect(Object.keys(all['presences'] as object)).not.toContain(String(id));
    const { status, body } = await bo.get(`users/${id}/presence`);
    expect([status, body.msg]).toEqual([400, `No presence data for ${id}`]);
  });

  it.each([
    [{}, 'REQUEST_VARIABLE_MISSING'],
    [{ status: 'asleep' }, 'BAD_REQUEST'],
    [{ status: 'active', last_update_id: 'x' }, 'BAD_REQUEST'],
    [{ status: 'active', history_limit_days: -1 }, 'BAD_REQUEST'],
  ])('is refused as %j', async (parameters, code) => {
    const { status, body } = await ada.post('users/me/presence', parameters);
    expect([status, body.code]).toEqual([400, code]);
  });

  it('is not for bots', async () => {
    const { status, body } = await bot.post('users/me/presence', { status: 'active' });
    expect([status, body.msg]).toEqual([400, 'This endpoint does not accept bot requests.']);
    const looked = await ada.get(`users/${botId}/presence`);
    expect([looked.status, looked.body.msg]).toEqual([400, 'Presence is not supported for bot users.']);
  });

  it('is not found of people who do not exist, were never here or are gone', async () => {
    const { id } = await server.createUser(owner, 'Dee');
    expect((await ada.get(`users/${id}/presence`)).body.msg).toBe(`No presence data for ${id}`);
    await owner.must('delete', `users/${id}`);
    for (const whom of [id, 99_999, 'nobody@example.com']) {
      const { status, body } = await ada.get(`users/${whom}/presence`);
      expect([status, body.msg]).toEqual([400, 'No such user']);
    }
  });
});
