import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { eventHash } from '../../src/stores/event-store/event-hash.js';
import { describeOnMongo } from '../contract/mongo-database.js';
import { Installation } from '../crash/support/installation.js';
import type { ApiClient, Reply } from '../support/api-client.js';
import { eventually } from '../support/eventually.js';
import { orderOf, recordedOrders, type Order } from '../support/model-orders.js';
import type { TestServer } from '../support/server.js';

/** A report outlives the process that sent it by fifteen seconds; a busy machine adds to that. */
const EXPIRY = 120_000;

interface Verdict {
  readonly level: string;
  readonly findings: readonly { readonly level: string; readonly what: string }[];
}

describeOnMongo('Read models that another process keeps', () => {
  let installation: Installation;
  let projector: TestServer;
  let owner: ApiClient;
  let ownerId: number;

  beforeAll(async () => {
    installation = await Installation.make();
    const api = await installation.start('api', 'api');
    projector = await installation.start('projector', 'projector');
    owner = await installation.owner(api);
    ownerId = (await owner.must('get', 'users/me'))['user_id'] as number;
  });

  afterAll(() => installation.remove());

  async function models(): Promise<readonly Reply[]> {
    return (await owner.must('get', 'audit/projections'))['projections'] as readonly Reply[];
  }

  async function stateOf(name: string): Promise<unknown> {
    return (await models()).find(({ projection }) => projection === name)!['state'];
  }

  async function letters(): Promise<readonly Reply[]> {
    return (await owner.must('get', 'audit/projections'))['dead_letters'] as readonly Reply[];
  }

  async function findings(): Promise<readonly (readonly [string, string])[]> {
    const { overview } = await owner.must('get', 'audit/overview');
    return (overview as { verdict: Verdict }).verdict.findings.map(
      ({ level, what }) => [level, what] as const,
    );
  }

  /** Gives an order to the process that answers requests. */
  const order = (operation: string, projection: string): Promise<Order> =>
    orderOf(owner, operation, { projection });

  const recorded = (): Promise<readonly Reply[]> => recordedOrders(owner);

  it('are told of as that process reports them, and the verdict does not say that they are unknown', async () => {
    const all = await eventually(models, (known) => known.every(({ state }) => state === 'live'));
    expect(all.length).toBeGreaterThan(10);
    const reactors = async (): Promise<readonly Reply[]> =>
      (await owner.must('get', 'audit/operations'))['reactors'] as readonly Reply[];
    await eventually(reactors, (known) => known.every(({ state }) => state === 'acting'));
    await eventually(findings, (found) => found.every(([level]) => level !== 'act'));
  });

  it('are paused, resumed, rebuilt, rolled back and dropped by it, each act recorded once with who did it', async () => {
    expect(await order('pause', 'flags')).toMatchObject({ state: 'done', outcome: 'paused.' });
    await eventually(
      () => stateOf('flags'),
      (state) => state === 'paused',
    );
    expect(await findings()).toContainEqual(['watch', 'The read model flags is paused.']);
    expect(await order('resume', 'flags')).toMatchObject({ state: 'done', outcome: 'goes on.' });
    await eventually(
      () => stateOf('flags'),
      (state) => state === 'live',
    );
    const serves = { state: 'done', outcome: expect.stringMatching(/^version .+ serves\.$/) };
    expect(await order('rebuild', 'flags')).toMatchObject(serves);
    expect(await order('rollback', 'flags')).toMatchObject(serves);
    expect(await order('drop', 'flags')).toMatchObject({
      state: 'done',
      outcome: expect.stringMatching(/^removed version .+\.$/),
    });
    const acts = ['pause', 'resume', 'rebuild', 'rollback', 'drop'].map((operation) => ({
      data: { operation, projection: 'flags', operator: null },
      metadata: { actorId: ownerId },
    }));
    expect(await eventually(recorded, (events) => events.length >= acts.length)).toMatchObject(acts);
  });

  it('that halt are told of with the event, which is retried, discarded and restored from here', async () => {
    await installation.look(async ({ eventStore }) => {
      const stream = `flags-${ownerId}`;
      const data = { userId: ownerId, ranges: [{ from: 1, through: 2 }] };
      const type = 'MessagesMarkedRead';
      const id = randomUUID();
      const metadata = {
        ...{ actorId: null, commandId: randomUUID(), causationId: null },
        ...{ client: 'website', at: Date.now(), schemaVersion: 1 },
      };
      // Without a tag: what follows the marks that people set stops before it.
      const hash = eventHash({ stream, id, type, data, metadata });
      await eventStore.append(stream, 'no-stream', [{ id, type, data, metadata: { ...metadata, hash } }]);
    });
    await eventually(
      () => stateOf('flags'),
      (state) => state === 'halted',
    );
    expect(await findings()).toContainEqual([
      'act',
      'The read model flags is halted at an event that it cannot apply.',
    ]);
    const ofFlags = async (): Promise<readonly Reply[]> =>
      (await letters()).filter(({ projection }) => projection === 'flags');
    expect(await ofFlags()).toMatchObject([
      { event: { type: 'MessagesMarkedRead' }, reason: expect.stringContaining('tag'), state: 'waiting' },
    ]);
    const named = expect.stringMatching(/^MessagesMarkedRead at position \d+ /);
    expect(await order('retry', 'flags')).toMatchObject({ state: 'done', outcome: named });
    expect(await ofFlags()).toMatchObject([{ state: 'waiting' }]);
    expect(await order('discard', 'flags')).toMatchObject({ state: 'done', outcome: named });
    await eventually(
      () => stateOf('flags'),
      (state) => state === 'live',
    );
    expect(await ofFlags()).toMatchObject([{ state: 'discarded' }]);
    // The rebuild with it stops there: what the process that keeps the model says is answered.
    const { status, body } = await owner.post('audit/operations', {
      operation: 'restore',
      projection: 'flags',
    });
    const outcome = async (): Promise<unknown> => {
      const { orders } = await owner.must('get', 'audit/operations');
      return (orders as readonly Order[])[0];
    };
    if (status === 200) await eventually(outcome, (last) => (last as Order).state === 'failed');
    else expect([status, body.msg]).toEqual([400, expect.stringContaining('MessagesMarkedRead')]);
    const halted = (await letters()).find(({ projection }) => String(projection).startsWith('reactor:'));
    expect(halted).toMatchObject({ state: 'waiting' });
    expect(await order('discard', String(halted!['projection']))).toMatchObject({ state: 'done' });
  });

  it('are kept by nobody when that process has died: acts are refused then, and not recorded', async () => {
    await projector.kill();
    await eventually(
      () => stateOf('mail'),
      (state) => state === null,
      EXPIRY,
    );
    expect(await findings()).toContainEqual([
      'act',
      expect.stringMatching(
        /^No running process has reported that it keeps \d+ read models and runs \d+ reactors\.$/,
      ),
    ]);
    const { orders } = await owner.must('get', 'audit/operations');
    const asked = { operation: 'pause', projection: 'flags' };
    const { status, body } = await owner.post('audit/operations', asked);
    expect([status, body.msg]).toEqual([400, expect.stringContaining('keeps no read models')]);
    expect((await owner.must('get', 'audit/operations'))['orders']).toEqual(orders);
  });
});
