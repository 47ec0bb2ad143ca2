import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { describeOnMongo } from '../contract/mongo-database.js';
import type { ApiClient, Answer } from '../support/api-client.js';
import { eventually } from '../support/eventually.js';
import type { TestServer } from '../support/server.js';
import { TirelessClient } from '../support/tireless-client.js';
import { Installation } from './support/installation.js';
import { logFaults, readWholeLog } from './support/log-faults.js';
import { keptModels, rebuiltModels } from './support/model-comparison.js';

const MINUTE = 60_000;

/** Leases outlive a process that dies by ten seconds, and so does what it said of being alive; a busy machine adds to both. */
const TAKE_OVER = 240_000;

function send(client: ApiClient, content: string): Promise<Answer> {
  return client.post('messages', { type: 'channel', to: 'engines', topic: 'any', content });
}

async function idOf(sending: Promise<Answer>): Promise<number> {
  const { status, body } = await sending;
  expect({ status, msg: body.msg }).toEqual({ status: 200, msg: '' });
  return body['id'] as number;
}

function read(client: ApiClient, id: number): Promise<Answer> {
  return client.get(`messages/${id}`);
}

const isSuccess = ({ status }: Answer): boolean => status === 200;

describeOnMongo('Several processes on one log', () => {
  let installation: Installation;
  let first: TestServer;
  let second: TestServer;
  let api: TestServer;
  let listening: TirelessClient | undefined;

  beforeAll(async () => {
    installation = await Installation.make();
    [first, second] = await Promise.all([installation.start('first'), installation.start('second')]);
  });

  afterAll(async () => {
    await installation.remove();
    await listening?.stop();
  });

  it('that start on it at once while it is empty make one organization, and all of them serve it', async () => {
    const { events } = await installation.look(readWholeLog);
    const types: string[] = events.map(({ type }) => type);
    expect(types.filter((type) => type === 'TaggingStarted')).toHaveLength(1);
    expect(types.filter((type) => type !== 'TaggingStarted')).toEqual([
      'OrganizationCreated',
      ...Array.from({ length: 8 }, () => 'UserGroupCreated'),
      ...Array.from({ length: 4 }, () => 'UserRegistered'),
    ]);
    const [one, other] = [await installation.owner(first), await installation.owner(second)];
    await one.must('post', 'channels/create', { name: 'engines', subscribers: [] });
    const id = await idOf(send(one, 'By one.'));
    await eventually(() => read(other, id), isSuccess);
    const answer = await eventually(() => send(other, 'By the other.'), isSuccess);
    await eventually(() => read(one, answer.body['id'] as number), isSuccess);
  });

  it('send events of all processes to their clients; a queue stays with its process while that runs', async () => {
    const [here, there] = [await installation.owner(first), await installation.owner(second)];
    await there.must('post', 'users/me/subscriptions', { subscriptions: [{ name: 'engines' }] });
    const { queue_id } = await there.must('post', 'register', { event_types: ['message'] });
    const ask = { queue_id, last_event_id: -1, dont_block: true };
    const id = await idOf(eventually(() => send(here, 'For the other.'), isSuccess));
    const { body } = await eventually(
      () => there.get('events', ask),
      (answer) => (answer.body['events'] as unknown[]).length > 0,
    );
    expect(body['events']).toMatchObject([{ type: 'message', message: { id, content: 'For the other.' } }]);
    expect((await here.get('events', ask)).body.code).toBe('BAD_EVENT_QUEUE_ID');
  });

  it('tell each other who is here and who types', async () => {
    const [here, there] = [await installation.owner(first), await installation.owner(second)];
    const { user_id: ownerId } = await here.must('get', 'users/me');
    const { queue_id, last_event_id } = await there.must('post', 'register', { event_types: ['typing'] });
    await here.must('post', 'users/me/presence', { status: 'active' });
    await here.must('post', 'typing', { op: 'start', to: [ownerId] });
    await eventually(() => there.get(`users/${ownerId}/presence`), isSuccess);
    const { body } = await eventually(
      () => there.get('events', { queue_id, last_event_id, dont_block: true }),
      (answer) => (answer.body['events'] as unknown[]).length > 0,
    );
    expect(body['events']).toMatchObject([{ type: 'typing', op: 'start', sender: { user_id: ownerId } }]);
  });

  it('forget what any of them erases: in queues, in memory and in every document', async () => {
    const [here, there] = [await installation.owner(first), await installation.owner(second)];
    const secret = 'Zanzibarxylophone';
    const { user_id: leaverId } = await here.must('post', 'users', {
      email: 'leaver@example.com',
      password: 'secret-of-the-leaver',
      full_name: 'Lea Quillfeather',
    });
    await here.must('patch', 'realm', { message_erasure_policy: 'erase' });
    await there.must('post', 'users/me/subscriptions', { subscriptions: [{ name: 'engines' }] });
    const { queue_id } = await there.must('post', 'register', { event_types: ['message'] });
    const ask = { queue_id, last_event_id: -1, dont_block: true };
    const id = await idOf(eventually(() => send(here, `Only ${secret}.`), isSuccess));
    const asked = async (): Promise<string> => JSON.stringify(await there.must('get', 'events', ask));
    await eventually(asked, (events) => events.includes(secret));
    await eventually(() => read(there, id), isSuccess);
    expect(await installation.documentsWith(secret)).not.toEqual([]);
    await here.must('delete', `messages/${id}`);
    await eventually(asked, (events) => !events.includes(secret));
    expect(await installation.documentsWith(secret)).toEqual([]);

    await here.must('delete', `users/${leaverId}`);
    await installation.tool(first).must('owner', 'erase-person', String(leaverId), '--yes');
    const people = async (): Promise<string> => {
      const { body } = await there.post('register', { fetch_event_types: ['realm_user'] });
      return JSON.stringify(body);
    };
    await eventually(people, (known) => !known.includes('Quillfeather') && known.includes('Deleted user'));
    expect((await there.must('get', `users/${leaverId}`))['user']).toMatchObject({
      full_name: 'Deleted user',
    });
    for (const text of ['Quillfeather', 'leaver@example.com']) {
      expect(await installation.documentsWith(text)).toEqual([]);
    }
  });

  it(
    'take over what a killed one projected, within the time that its leases outlive it',
    async () => {
      // The second one then has every lease.
      await first.stop();
      const there = await installation.owner(second);
      const before = await idOf(send(there, 'Before.'));
      // Whoever registers while its models lag behind is told of it, too.
      await eventually(() => read(there, before), isSuccess, TAKE_OVER);
      const client = await TirelessClient.register(there, {
        event_types: ['message'],
        fetch_event_types: [],
      });
      listening = client;
      await idOf(send(there, 'The last through it.'));
      await installation.start('projector', 'projector');
      api = await installation.start('api', 'api');
      await second.kill();
      const owner = await installation.owner(api);
      client.client = owner;
      client.start();
      const { body } = await eventually(() => send(owner, 'After.'), isSuccess, TAKE_OVER);
      await eventually(() => read(owner, body['id'] as number), isSuccess, TAKE_OVER);
      const heard = async (): Promise<{ contents: unknown[]; refusals: string[] }> => ({
        contents: client.events.map(({ message }) => message.content),
        refusals: [...new Set(client.refusals)],
      });
      const { contents } = await eventually(heard, (now) => now.contents.includes('After.'), TAKE_OVER);
      expect(contents).toEqual(['The last through it.', 'After.']);
      expect(client.refusals.filter((code) => code !== 'SERVICE_UNAVAILABLE')).toEqual([]);
      await Promise.all([client.stop(), send(owner, 'Wakes it up.')]);
    },
    16 * MINUTE,
  );

  it('show writes at once in the process that accepted them, also if it only answers requests', async () => {
    const owner = await installation.owner(api);
    await eventually(() => send(owner, 'The projector has caught up.'), isSuccess, TAKE_OVER);
    for (let count = 0; count < 10; count += 1) {
      const id = await idOf(send(owner, `Message ${count}.`));
      await owner.must('patch', `messages/${id}`, { content: `Edited ${count}.` });
      const { message } = await owner.must('get', `messages/${id}`, { apply_markdown: false });
      expect(message).toMatchObject({ content: `Edited ${count}.` });
    }
  });

  it('leave a log without gaps, and models equal to newly built ones', async () => {
    await installation.stop();
    await installation.look(async (stores) => {
      expect(logFaults(await readWholeLog(stores))).toEqual([]);
      expect(await keptModels(stores)).toEqual(await rebuiltModels(stores));
    });
  });
});

describeOnMongo('A process that only answers requests', () => {
  it('leaves the effects of its writes to a projector that is started later', async () => {
    const installation = await Installation.make();
    try {
      const api = await installation.start('api', 'api');
      const owner = await installation.owner(api);
      await owner.must('post', 'channels/create', { name: 'engines', subscribers: [] });
      await installation.start('projector', 'projector');
      const narrow = [{ operator: 'channel', operand: 'engines' }];
      const { body } = await eventually(
        () => owner.get('messages', { anchor: 'newest', num_before: 10, num_after: 0, narrow }),
        (answer) => isSuccess(answer) && (answer.body['messages'] as unknown[]).length > 0,
        TAKE_OVER,
      );
      expect(body['messages']).toMatchObject([
        { sender_full_name: 'Notification Bot', subject: 'channel events' },
      ]);
    } finally {
      await installation.remove();
    }
  });
});
