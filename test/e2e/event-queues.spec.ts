import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { budgets } from '../../src/kernel/budgets.js';
import type { ApiClient } from '../support/api-client.js';
import { Listener } from '../support/listener.js';
import { TestServer } from '../support/server.js';

let server: TestServer;
let owner: ApiClient;
let ada: ApiClient;
let adaId: number;
let guest: ApiClient;

beforeAll(async () => {
  server = await TestServer.start();
  owner = await server.owner();
  ({ client: ada, id: adaId } = await server.createUser(owner, 'Ada'));
  const gil = await server.createUser(owner, 'Gil');
  guest = gil.client;
  await owner.must('patch', `users/${gil.id}`, { role: 600 });
  await ada.must('post', 'users/me/subscriptions', { subscriptions: [{ name: 'lab' }] });
});

afterAll(async () => {
  await server.stop();
});

function say(content: string, topic = 'engines'): Promise<unknown> {
  return ada.must('post', 'messages', { type: 'channel', to: 'lab', topic, content });
}

function errorOf({ status, body }: Awaited<ReturnType<ApiClient['get']>>): unknown[] {
  return [status, body.code, body.msg];
}

describe('a queue of events', () => {
  it('begins after what the client was told when it registered, and counts from 0', async () => {
    await say('before');
    const listener = await Listener.register(ada, { event_types: ['message'] });
    expect(listener.state['last_event_id']).toBe(-1);
    expect(await listener.news()).toEqual([]);
    await say('first');
    await say('second');
    const news = await listener.news();
    expect(news.map(({ message }) => message.content)).toEqual(['first', 'second']);
    expect(news[0]!.id).toBe(0);
    expect(news[1]!.id).toBeGreaterThan(0);
    expect(await listener.news()).toEqual([]);
  });

  it('repeats events that were not acknowledged, and drops acknowledged ones', async () => {
    const { queueId: queue_id } = await Listener.register(ada, { event_types: ['message'] });
    await say('once');
    const ask = (last_event_id: number) => ada.get('events', { queue_id, last_event_id, dont_block: true });
    const [first, again] = [(await ask(-1)).body, (await ask(-1)).body];
    expect(first['events']).toHaveLength(1);
    expect(again).toEqual(first);
    expect((await ask(0)).body['events']).toEqual([]);
    expect(errorOf(await ask(-1))).toEqual([
      400,
      'BAD_REQUEST',
      'An event newer than -1 has already been pruned!',
    ]);
    expect(errorOf(await ask(7))).toEqual([400, 'BAD_REQUEST', 'Event 7 was not in this queue']);
  });

  it('holds a poll until something happens', async () => {
    const listener = await Listener.register(ada, { event_types: ['message'] });
    const waiting = listener.wait();
    await say('at last');
    expect((await waiting).map(({ message }) => message.content)).toEqual(['at last']);
  });

  it('ends a held poll when the client polls again', async () => {
    const { queueId: queue_id } = await Listener.register(ada);
    const first = ada.get('events', { queue_id, last_event_id: -1 });
    const second = ada.get('events', { queue_id, last_event_id: -1, dont_block: true });
    for (const { body } of [await first, await second]) {
      expect(body).toEqual({ result: 'success', msg: '', events: [], queue_id });
    }
  });

  it('can be deleted, which ends a held poll', async () => {
    const { queueId: queue_id } = await Listener.register(ada);
    const held = ada.get('events', { queue_id, last_event_id: -1 });
    await ada.must('delete', 'events', { queue_id });
    const gone = [400, 'BAD_EVENT_QUEUE_ID', `Bad event queue id: ${queue_id}`];
    expect(errorOf(await held)).toEqual(gone);
    expect(errorOf(await ada.get('events', { queue_id, last_event_id: -1 }))).toEqual(gone);
    expect(errorOf(await ada.delete('events', { queue_id }))).toEqual(gone);
  });

  it('is its owner’s alone', async () => {
    const { queueId: queue_id } = await Listener.register(ada);
    const answer = await owner.get('events', { queue_id, last_event_id: -1, dont_block: true });
    expect([answer.status, answer.body]).toEqual([
      400,
      { result: 'error', msg: `Bad event queue id: ${queue_id}`, code: 'BAD_EVENT_QUEUE_ID', queue_id },
    ]);
    expect((await owner.delete('events', { queue_id })).body.code).toBe('BAD_EVENT_QUEUE_ID');
  });

  it('needs its id and the last event of the client', async () => {
    const codes = [
      (await ada.get('events', { last_event_id: -1 })).body,
      (await ada.get('events', { queue_id: 'x' })).body,
      (await ada.delete('events')).body,
    ];
    for (const { code } of codes) expect(code).toBe('REQUEST_VARIABLE_MISSING');
  });

  it('lives as long as the client asks for, within a week', async () => {
    const lifetimes = [
      {},
      { idle_queue_timeout: 3600 },
      { idle_queue_timeout: 'mobile' },
      { queue_lifespan_secs: 1e9 },
      { queue_lifespan_secs: 0 },
    ];
    const registered = await Promise.all(lifetimes.map((asked) => Listener.register(ada, asked)));
    expect(registered.map(({ state }) => state['idle_queue_timeout_secs'])).toEqual([
      600, 3600, 604_800, 604_800, 600,
    ]);
  });

  it('ends with the account that it belongs to', async () => {
    const { id, client } = await server.createUser(owner, 'Leaving');
    const { queueId: queue_id } = await Listener.register(client);
    const held = client.get('events', { queue_id, last_event_id: -1 });
    await owner.must('delete', `users/${id}`);
    expect((await held).body.code).toBe('BAD_EVENT_QUEUE_ID');
    expect((await client.get('events', { queue_id, last_event_id: -1 })).status).toBe(401);
  });
});

describe('the queues of one person', () => {
  it('hold so much together: the one that nobody asked for longest is gone', async () => {
    const { client } = await server.createUser(owner, 'Collector');
    const { user_id: id } = await client.must('get', 'users/me');
    const registered: Listener[] = [];
    for (let count = 0; count < 100; count += 1) {
      registered.push(await Listener.register(client, { event_types: ['message'] }));
    }
    const [first, last] = [registered[0]!, registered.at(-1)!];
    // Four bytes each, and no markup.
    const content = '\u{10348}'.repeat(10_000);
    const sent = Math.ceil(budgets.eventBytesOfAccount.max / (100 * Buffer.byteLength(content)));
    for (let count = 0; count < sent; count += 1) {
      await client.must('post', 'messages', { type: 'direct', to: [id], content });
    }
    const ask = ({ queueId: queue_id }: Listener) =>
      client.get('events', { queue_id, last_event_id: -1, dont_block: true });
    expect((await ask(first)).body.code).toBe('BAD_EVENT_QUEUE_ID');
    expect((await ask(last)).body['events']).toHaveLength(sent);
  });
});

describe('what a client asks for', () => {
  const names = Array.from({ length: budgets.eventTypes.max }, (_, number) => `type-${number}`);
  const longest = 'x'.repeat(budgets.eventTypeName.max);
  const operand = 'x'.repeat(budgets.registeredOperand.max);

  it.each([
    ['event_types', names, [...names, 'one more']],
    ['fetch_event_types', names, [...names, 'one more']],
    ['event_types', [longest], [`${longest}x`]],
    ['fetch_event_types', [longest], [`${longest}x`]],
    ['narrow', [['topic', operand]], [['topic', `${operand}x`]]],
  ])('is bounded: %s', async (name, max, more) => {
    const asked = { event_types: [] };
    await ada.must('post', 'register', { ...asked, [name]: max });
    expect((await ada.post('register', { ...asked, [name]: more })).body.code).toBe('BAD_REQUEST');
  });

  it('limits the types of events, also to none', async () => {
    const [messages, nothing] = [
      await Listener.register(ada, { event_types: ['message'] }),
      await Listener.register(ada, { event_types: [] }),
    ];
    const { id } = await ada.must('post', 'messages', { type: 'direct', to: [adaId], content: 'a note' });
    await ada.must('post', 'messages/flags', { messages: [id], op: 'add', flag: 'starred' });
    expect((await messages.news()).map(({ type }) => type)).toEqual(['message']);
    expect(await nothing.news()).toEqual([]);
  });

  it('restricts the messages by a narrow, in any letter case', async () => {
    const listeners = [
      await Listener.register(ada, {
        event_types: ['message'],
        narrow: [
          ['channel', 'LAB'],
          ['topic', 'Looms'],
        ],
      }),
      await Listener.register(ada, { event_types: ['message'], narrow: [['is', 'dm']] }),
      await Listener.register(ada, { event_types: ['message'], narrow: [['sender', 'ada@example.com']] }),
    ];
    await say('woven', 'looms');
    await say('not woven', 'engines');
    await ada.must('post', 'messages', { type: 'direct', to: [adaId], content: 'to myself' });
    const heard = await Promise.all(listeners.map((listener) => listener.news()));
    expect(heard.map((news) => news.map(({ message }) => message.content))).toEqual([
      ['woven'],
      ['to myself'],
      ['woven', 'not woven', 'to myself'],
    ]);
  });

  it('knows the empty topic by its display name as well', async () => {
    const narrow = (topic: string) => ({ event_types: ['message'], narrow: [['topic', topic]] });
    const listeners = [
      await Listener.register(ada, narrow('general chat')),
      await Listener.register(ada, narrow('')),
    ];
    await say('woven', 'looms');
    await say('anything', '');
    for (const listener of listeners) {
      const news = await listener.news();
      expect(news.map(({ message }) => message.content)).toEqual(['anything']);
    }
  });

  it.each([
    ['an unknown operator', [['colour', 'red']]],
    ['an unknown state', [['is', 'followed']]],
    ['something other than pairs', [['channel']]],
  ])('refuses a narrow of %s', async (_what, narrow) => {
    expect((await ada.post('register', { narrow })).body.code).toBe('BAD_REQUEST');
  });

  it('may be the messages of every public channel, though not for guests', async () => {
    const everywhere = await Listener.register(owner, { event_types: ['message'], all_public_streams: true });
    const subscribed = await Listener.register(owner, { event_types: ['message'] });
    await say('heard from afar');
    await ada.createChannel('vault', { invite_only: true });
    const secret = { type: 'channel', to: 'vault', topic: 'engines', content: 'not heard' };
    await ada.must('post', 'messages', secret);
    expect((await everywhere.news()).map(({ message, flags }) => [message.content, flags])).toEqual([
      ['heard from afar', []],
    ]);
    expect(await subscribed.news()).toEqual([]);
    expect(errorOf(await guest.post('register', { all_public_streams: true }))).toEqual([
      400,
      'BAD_REQUEST',
      'User not authorized for this query',
    ]);
  });

  it('may be HTML and avatars, and the empty topic by its name', async () => {
    const modern = await Listener.register(ada, { event_types: ['message'], apply_markdown: true });
    const plain = await Listener.register(ada, {
      event_types: ['message'],
      client_gravatar: false,
      client_capabilities: {},
    });
    await say('**bold**', '');
    const [[html], [raw]] = [await modern.news(), await plain.news()];
    expect(html!['message']).toMatchObject({
      content: '<p><strong>bold</strong></p>',
      content_type: 'text/html',
      subject: '',
      avatar_url: null,
    });
    expect(raw!['message']).toMatchObject({
      content: '**bold**',
      content_type: 'text/x-markdown',
      subject: 'general chat',
      avatar_url: expect.stringContaining('gravatar'),
    });
  });

  it('names a message that it sends, in its own queue alone', async () => {
    const [mine, other] = [await Listener.register(ada), await Listener.register(ada)];
    const queue_id = mine.queueId;
    const message = {
      type: 'channel',
      to: 'lab',
      topic: 'engines',
      content: 'echo',
      queue_id,
      local_id: '17.01',
    };
    await ada.must('post', 'messages', message);
    const [[echoed], [seen]] = [await mine.newsOf('message'), await other.newsOf('message')];
    expect(echoed!['local_message_id']).toBe('17.01');
    expect(seen).not.toHaveProperty('local_message_id');
  });
});
