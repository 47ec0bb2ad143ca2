import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Answer, ApiClient } from '../support/api-client.js';
import { eventually } from '../support/eventually.js';
import { everyCapability, Listener, type ReceivedEvent } from '../support/listener.js';
import { SeededRandom } from '../crash/support/seeded-random.js';
import { TestServer } from '../support/server.js';

/** Servers that stand in for others are slow. */
const messages = process.env['E2E_STORES'] === 'servers' ? 12 : 60;

let server: TestServer;
let owner: ApiClient;
let ada: ApiClient;
let adaId: number;

beforeAll(async () => {
  server = await TestServer.start();
  owner = await server.owner();
  ({ client: ada, id: adaId } = await server.createUser(owner, 'Ada'));
  const principals = [adaId, 3];
  await owner.must('post', 'users/me/subscriptions', { subscriptions: [{ name: 'lab' }], principals });
});

afterAll(async () => {
  await server.stop();
});

const isSuccess = ({ status }: Answer): boolean => status === 200;

/**
 * The owner sends {@link messages}, one after the other, and more until it is enough; a node that lags is asked again, and sends each only
 * once.
 */
async function write(writer: string, isEnough = (): boolean => true): Promise<readonly number[]> {
  const sent: number[] = [];
  for (let number = 0; number < messages || !isEnough(); number += 1) {
    const name = { queue_id: writer, local_id: String(number) };
    const message = { type: 'channel', to: 'lab', topic: writer, content: `${writer} ${number}`, ...name };
    const { body } = await eventually(() => owner.post('messages', message), isSuccess);
    sent.push(body['id'] as number);
  }
  return sent;
}

/** A client whose connection breaks at random: it comes back and goes on with what it has. */
class UnluckyClient {
  readonly events: ReceivedEvent[] = [];
  /** How often it was cut off. */
  cuts = 0;

  constructor(
    private readonly queueId: string,
    private readonly random: SeededRandom,
  ) {}

  async pollUntil(isDone: () => boolean): Promise<void> {
    while (!isDone()) {
      const cut = new AbortController();
      // Ever later, so that a busy machine gets to answer in between.
      const timer = setTimeout(() => cut.abort(), this.random.between(1, 25 + this.cuts));
      try {
        this.events.push(...(await this.poll(cut.signal)));
      } catch (error) {
        if (!cut.signal.aborted) throw error;
        this.cuts += 1;
      } finally {
        clearTimeout(timer);
      }
    }
  }

  private async poll(signal: AbortSignal): Promise<readonly ReceivedEvent[]> {
    const lastEventId = this.events.at(-1)?.id ?? -1;
    const query = `queue_id=${this.queueId}&last_event_id=${lastEventId}`;
    const { email, key } = ada.credentials!;
    const authorization = `Basic ${Buffer.from(`${email}:${key}`).toString('base64')}`;
    const url = `${server.site}/api/v1/events?${query}`;
    const response = await fetch(url, { headers: { authorization }, signal });
    const { events } = (await response.json()) as { events: ReceivedEvent[] };
    return events;
  }
}

function messageIds(events: readonly ReceivedEvent[]): number[] {
  return events.filter(({ type }) => type === 'message').map(({ message }) => message.id as number);
}

describe('a client that is cut off at random', () => {
  it('receives each event exactly once when it reconnects while others write', async () => {
    const listener = await Listener.register(ada, { event_types: ['message', 'reaction'] });
    const client = new UnluckyClient(listener.queueId, new SeededRandom(7));
    const writers = ['one', 'two', 'three'];
    let sent: number[] | null = null;
    const polling = client.pollUntil(
      () => sent !== null && messageIds(client.events).length >= sent.length && client.cuts > 20,
    );
    sent = (await Promise.all(writers.map((writer) => write(writer)))).flat();
    await polling;
    expect(messageIds(client.events)).toEqual([...sent].sort((a, b) => a - b));
    const ids = client.events.map(({ id }) => id);
    expect(ids[0]).toBe(0);
    expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b));
    expect(client.cuts).toBeGreaterThan(20);
  });
});

describe('a client that registers while others write', () => {
  it('receives each message once: in the initial state as unread, or by an event', async () => {
    const registered: Listener[] = [];
    const isEnough = (): boolean => registered.length > 1;
    const writing = Promise.all(['four', 'five'].map((writer) => write(writer, isEnough)));
    let isWriting = true;
    void writing.then(() => (isWriting = false));
    while (isWriting && registered.length < 60) {
      const asked = { fetch_event_types: ['message', 'update_message_flags'], event_types: ['message'] };
      const { status, body } = await ada.post('register', { ...asked, client_capabilities: everyCapability });
      // A node that lags does not register anybody.
      if (status === 200) registered.push(Listener.registered(ada, body));
    }
    const sent = (await writing).flat();
    const last = Math.max(...sent);
    expect(registered.length).toBeGreaterThan(1);
    for (const listener of registered) {
      const { streams } = listener.state['unread_msgs'] as { streams: { unread_message_ids: number[] }[] };
      const unread = streams.flatMap(({ unread_message_ids }) => unread_message_ids);
      const known = [...unread, ...messageIds(await listener.news())];
      const maximum = listener.state['max_message_id'] as number;
      expect(Math.max(...unread)).toBeLessThanOrEqual(maximum);
      expect(new Set(known).size).toBe(known.length);
      expect(sent.filter((id) => !known.includes(id))).toEqual([]);
      expect(Math.max(...known)).toBe(last);
    }
  });
});

describe('a server that stops', () => {
  it('answers the polls that it holds, and its queues end with it', async () => {
    const first = await TestServer.start();
    const client = await first.owner();
    const { queueId: queue_id } = await Listener.register(client);
    const held = client.get('events', { queue_id, last_event_id: -1 });
    // The poll is held once another of the same client is answered after it.
    await client.must('get', 'users/me');
    const [answer] = await Promise.all([held, first.stop()]);
    expect(answer.body).toEqual({ result: 'success', msg: '', events: [], queue_id });
    const gone = await owner.get('events', { queue_id, last_event_id: -1, dont_block: true });
    expect(gone.body.code).toBe('BAD_EVENT_QUEUE_ID');
  });
});
