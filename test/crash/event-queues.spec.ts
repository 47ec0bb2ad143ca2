import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ApiClient } from '../support/api-client.js';
import { eventually } from '../support/eventually.js';
import { everyCapability } from '../support/listener.js';
import { TestServer } from '../support/server.js';
import { TirelessClient } from '../support/tireless-client.js';
import { newDataDirectory, removeDataDirectory } from './support/data-directory.js';

/** A server starts in two seconds alone, and beside others in twenty or more. Ends what hangs. */
const TIMEOUT = 600_000;

let directory: string;
let server: TestServer;
let owner: ApiClient;
let ada: ApiClient;
let adaId: number;

/** Whose keys change, whose queue is deleted, and who leaves, before the process is replaced. */
const ended = new Map<string, TirelessClient>();
/** Two clients that asked for the same: the one reads before the process is replaced, the other after. */
let before: TirelessClient;
let after: TirelessClient;
/** They poll all the time. */
let polling: readonly TirelessClient[];
const said: string[] = [];

const isPlain = { event_types: ['message'], fetch_event_types: [] };

function register(client: ApiClient, asked: object = isPlain): Promise<TirelessClient> {
  return TirelessClient.register(client, { client_capabilities: everyCapability, ...asked });
}

async function say(content: string, to = 'lab'): Promise<number> {
  const message = { type: 'channel', to, topic: 'engines', content };
  if (to === 'lab') said.push(content);
  return (await owner.must('post', 'messages', message))['id'] as number;
}

async function saySome(count: number): Promise<void> {
  for (let number = 0; number < count; number += 1) await say(`Message ${said.length}`);
}

/** Starts another process on the same data, once the one before it is gone. */
async function replace(end: 'kill' | 'stop'): Promise<void> {
  await (end === 'kill' ? server.kill() : server.stop());
  server = await TestServer.start({ directory });
  [owner, ada] = [owner.at(server.site), ada.at(server.site)];
  const clients = [...polling, before, after, ...ended.values()];
  for (const client of clients) client.client = client.client.at(server.site);
}

/** What Ada may see for a while, and what happens to her and to messages. */
async function liveOn(): Promise<void> {
  const subscription = { subscriptions: [{ name: 'vault' }], invite_only: true };
  await owner.must('post', 'users/me/subscriptions', {
    ...subscription,
    history_public_to_subscribers: false,
  });
  await say('Before Ada came.', 'vault');
  await owner.must('post', 'users/me/subscriptions', { ...subscription, principals: [adaId] });
  const id = await say('While Ada is here.', 'vault');
  await owner.must('patch', `messages/${id}`, { content: 'While Ada is here: edited.' });
  await ada.must('post', 'messages/flags', { messages: [id], op: 'add', flag: 'read' });
  await ada.must('post', `messages/${id}/reactions`, { emoji_name: 'octopus' });
  await owner.must('delete', 'users/me/subscriptions', { subscriptions: ['vault'], principals: [adaId] });
  await say('After Ada left.', 'vault');
  await owner.must('patch', `messages/${id}`, { content: 'After Ada left: edited.' });
  await owner.must('patch', `users/${adaId}`, { role: 300 });
  const moved = await say('Moves.');
  await owner.must('patch', `messages/${moved}`, { topic: 'looms', propagate_mode: 'change_one' });
  await owner.must('post', 'messages', { type: 'direct', to: [adaId], content: 'To Ada alone.' });
}

async function endQueues(): Promise<void> {
  const people = await Promise.all(
    ['Gone', 'Deleted'].map(async (name) => [name, await server.createUser(owner, name)] as const),
  );
  for (const [name, { client }] of people) ended.set(name, await register(client));
  const [[, gone], [, deleted]] = people as [(typeof people)[number], (typeof people)[number]];
  await deleted.client.must('delete', 'events', { queue_id: ended.get('Deleted')!.queueId });
  await owner.must('delete', `users/${gone.id}`);
}

beforeAll(async () => {
  directory = await newDataDirectory();
  server = await TestServer.start({ directory });
  owner = await server.owner();
  ({ client: ada, id: adaId } = await server.createUser(owner, 'Ada'));
  const subscribed = { subscriptions: [{ name: 'lab' }], principals: [3, adaId] };
  await owner.must('post', 'users/me/subscriptions', subscribed);
  polling = await Promise.all([register(ada), register(owner), register(ada)]);
  [before, after] = [await register(ada, {}), await register(ada, {})];
  await saySome(5);
  // They acknowledge some of what follows before the process is killed, each at another place.
  await Promise.all([before.ask(), after.ask()]);
  expect(after.events).toEqual(before.events);
  for (const client of polling) client.start();
  await endQueues();
  await liveOn();
  await saySome(20);
  await before.ask();
  await replace('kill');
}, TIMEOUT);

afterAll(async () => {
  await Promise.all(polling.map((client) => client.stop()));
  await server.kill();
  await removeDataDirectory(directory);
}, TIMEOUT);

function contents({ events }: TirelessClient): string[] {
  return events.filter(({ type }) => type === 'message').map(({ message }) => message.content as string);
}

async function expectAllHeard(): Promise<void> {
  const last = said.at(-1)!;
  for (const client of polling) {
    await eventually(
      async () => contents(client),
      (told) => told.includes(last),
      TIMEOUT,
    );
    expect(contents(client).filter((text) => said.includes(text))).toEqual(said);
    const ids = client.events.map(({ id }) => id);
    expect(ids).toEqual([...new Set(ids)].sort((one, other) => one - other));
    expect(client.refusals.filter((code) => code !== 'SERVICE_UNAVAILABLE')).toEqual([]);
  }
}

/** Who is here is told by whoever knows it now. What is told of the flags of an edited message may be later ones, which are told next. */
function ofTheLog({ events }: TirelessClient): unknown[] {
  const kept = events.filter(({ type }) => !['heartbeat', 'presence', 'typing'].includes(type));
  return kept.map((event) => (event.type === 'update_message' ? { ...event, flags: [] } : event));
}

describe('A process that is killed', () => {
  it(
    'is replaced by one that takes over the queues of polling clients, which receive each event exactly once',
    async () => {
      await saySome(5);
      await expectAllHeard();
    },
    TIMEOUT,
  );

  it('is replaced by one that restores the same events with the same ids, as the person could see them then', async () => {
    await before.ask();
    await after.ask();
    expect(contents(before)).toContain('While Ada is here.');
    expect(contents(before)).not.toContain('Before Ada came.');
    expect(contents(before)).not.toContain('After Ada left.');
    expect(ofTheLog(after)).toEqual(ofTheLog(before));
    expect(after.refusals).toEqual([]);
  });

  it('leaves no queues that were deleted, or whose accounts were deactivated', async () => {
    for (const client of ended.values()) await client.ask();
    expect(Object.fromEntries([...ended].map(([name, { refusals }]) => [name, refusals]))).toEqual({
      Deleted: ['BAD_EVENT_QUEUE_ID'],
      Gone: [expect.stringMatching(/DEACTIVATED|401|UNAUTHORIZED|INVALID_API_KEY/)],
    });
  });

  it('leaves queues accessible only to their owners, and unknown event ids cannot be acknowledged', async () => {
    const { queueId: queue_id } = after;
    const ask = (client: ApiClient, last_event_id: number) =>
      client.get('events', { queue_id, last_event_id, dont_block: true });
    expect((await ask(owner, -1)).body.code).toBe('BAD_EVENT_QUEUE_ID');
    expect((await ask(ada, 2 ** 50)).body.msg).toBe(`Event ${2 ** 50} was not in this queue`);
  });
});

describe('A process that is stopped', () => {
  it(
    'is replaced by one that takes over the queues of clients, also of those that poll late',
    async () => {
      await replace('stop');
      await saySome(3);
      await expectAllHeard();
      await Promise.all([before.ask(), after.ask()]);
      expect(ofTheLog(after)).toEqual(ofTheLog(before));
    },
    TIMEOUT,
  );
});
