import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ApiClient, Reply } from '../support/api-client.js';
import { orderOf, recordedOrders, type Order } from '../support/model-orders.js';
import { TestServer } from '../support/server.js';

let server: TestServer;
let owner: ApiClient;
let ownerId: number;

beforeAll(async () => {
  server = await TestServer.start();
  owner = await server.owner();
  ownerId = (await owner.must('get', 'users/me'))['user_id'] as number;
});

afterAll(() => server.stop());

const order = (operation: string, parameters: Readonly<Record<string, unknown>>): Promise<Order> =>
  orderOf(owner, operation, parameters);

const recorded = (): Promise<readonly Reply[]> => recordedOrders(owner);

/** The versions of a read model: that which serves, and the others. */
async function versionsOf(name: string): Promise<{ readonly serving: number; readonly others: number[] }> {
  const { projections } = await owner.must('get', 'audit/projections');
  const models = projections as readonly Reply[];
  const { servingVersion, otherVersions } = models.find(({ projection }) => projection === name)!;
  return { serving: servingVersion as number, others: otherVersions as number[] };
}

describe('An owner over HTTP', () => {
  it('rebuilds a read model, rolls it back and drops what does not serve, each recorded with who did it', async () => {
    const first = await versionsOf('flags');
    expect(await order('rebuild', { projection: 'flags', events_per_second: 100_000 })).toMatchObject({
      state: 'done',
      outcome: expect.stringMatching(/^version .+ serves\.$/),
    });
    const rebuilt = await versionsOf('flags');
    expect(rebuilt.serving).not.toBe(first.serving);
    expect(rebuilt.others).toContain(first.serving);
    expect(await order('rollback', { projection: 'flags' })).toMatchObject({
      state: 'done',
      outcome: expect.stringMatching(/^version .+ serves\.$/),
    });
    expect(await versionsOf('flags')).toEqual({ serving: first.serving, others: [rebuilt.serving] });
    expect(await order('drop', { projection: 'flags' })).toMatchObject({
      state: 'done',
      outcome: expect.stringMatching(/^removed version .+\.$/),
    });
    expect(await versionsOf('flags')).toEqual({ serving: first.serving, others: [] });
    const acts = ['rebuild', 'rollback', 'drop'].map((operation) => ({
      type: 'ModelOperationOrdered',
      data: { operation, projection: 'flags', eventId: null, operator: null },
      metadata: { actorId: ownerId },
      sentence: expect.stringMatching(/^Owner \(\d+\) ordered .*flags/),
    }));
    expect(await recorded()).toMatchObject(acts);
  });

  it('never drops the version that serves: there is nothing to remove then', async () => {
    const before = await versionsOf('flags');
    expect(await order('drop', { projection: 'flags' })).toMatchObject({ outcome: 'nothing to remove.' });
    expect(await versionsOf('flags')).toEqual(before);
  });
});

describe('Refused and not recorded', () => {
  it('is an order about a read model or a reactor that does not exist', async () => {
    const before = await recorded();
    for (const operation of ['rebuild', 'rollback', 'drop', 'pause', 'resume', 'verify', 'retry']) {
      const answer = await owner.post('audit/operations', { operation, projection: 'flgas' });
      expect(answer).toMatchObject({
        status: 400,
        body: { msg: expect.stringContaining('There is no projection "flgas"') },
      });
    }
    for (const [operation, projection] of [
      ['rebuild', 'reactor:send-mail'],
      ['restore', 'reactor:nobody'],
    ]) {
      expect(await owner.post('audit/operations', { operation, projection })).toMatchObject({ status: 400 });
    }
    expect(await recorded()).toEqual(before);
  });

  it('is an order that names too much or too little', async () => {
    const before = await recorded();
    for (const parameters of [
      { operation: 'rebuild' },
      { operation: 'drop-snapshots', projection: 'flags' },
      { operation: 'promote', projection: 'flags' },
      { operation: 'rebuild', projection: 'flags', events_per_second: 0 },
    ]) {
      expect(await owner.post('audit/operations', parameters)).toMatchObject({ status: 400 });
    }
    expect(await recorded()).toEqual(before);
  });

  it('is every order of an administrator, a member, a guest, an auditor, a bot and a stranger', async () => {
    const made = async (name: string, role: number): Promise<{ id: number; client: ApiClient }> => {
      const account = await server.createUser(owner, name);
      await owner.must('patch', `users/${account.id}`, { role });
      return account;
    };
    const auditor = await made('Audrey', 400);
    const group = { new: { direct_members: [auditor.id], direct_subgroups: [] } };
    await owner.must('patch', 'realm', { can_audit_group: JSON.stringify(group) });
    await auditor.client.must('get', 'audit/log');
    const others = [
      (await made('Ada', 200)).client,
      (await made('Mo', 400)).client,
      (await made('Gus', 600)).client,
      auditor.client,
      (await server.createBot(owner, 'Robot')).client,
    ];
    const before = await versionsOf('flags');
    for (const client of others) {
      for (const operation of ['rebuild', 'rollback', 'drop']) {
        const answer = await client.post('audit/operations', { operation, projection: 'flags' });
        expect(answer).toMatchObject({ status: 400, body: { msg: 'Must be an organization owner' } });
      }
    }
    const form = new URLSearchParams({ operation: 'drop', projection: 'flags' });
    const stranger = await fetch(`${server.site}/api/v1/audit/operations`, { method: 'POST', body: form });
    expect(stranger.status).toBe(401);
    expect(await versionsOf('flags')).toEqual(before);
    await owner.must('patch', 'realm', { can_audit_group: JSON.stringify({ new: 7 }) });
    const acts = (await recorded()).map(({ data, metadata }) => [data.operation, metadata.actorId]);
    expect(acts).toEqual(['rebuild', 'rollback', 'drop', 'drop'].map((operation) => [operation, ownerId]));
  });
});
