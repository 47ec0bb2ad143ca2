import { setTimeout as pause } from 'node:timers/promises';
import type { ApiClient, Reply } from '../../support/api-client.js';
import { Random } from '../large/random.js';
import { sampleText, sampleTopic } from '../support/sample-messages.js';

/** The people who use the server, and the channel in which they write. */
export interface Crew {
  readonly people: readonly ApiClient[];
  readonly channelId: number;
}

/** The results of an interval of load. */
export interface LoadInterval {
  /** The time of each request in milliseconds. */
  readonly latencies: readonly number[];
  /** Requests that did not succeed, each with its reply. */
  readonly failed: readonly string[];
}

interface SentMessage {
  readonly id: number;
  readonly sender: ApiClient;
}

type Act = (person: ApiClient) => Promise<Reply | null>;

/** The number of newest messages that are still edited, reacted to and starred. */
const REMEMBERED = 200;
/** A server with this many open requests does not keep up with the rate. */
const UNDER_WAY = 200;

/** Sends the same mix of requests at a constant rate, regardless of how long replies take. */
export class SteadyLoad {
  private readonly random = new Random(1843);
  private latencies: number[] = [];
  private failed: string[] = [];
  private readonly messages: SentMessage[] = [];
  private sent = 0;
  private readonly underWay = new Set<Promise<void>>();

  constructor(private readonly crew: Crew) {}

  /**
   * Runs until the signal is aborted and every request was answered. @param rate requests a second, without long
   * polls
   */
  async run(rate: number, signal: AbortSignal): Promise<void> {
    const following = this.crew.people.slice(0, 3).map((person) => this.follow(person, signal));
    const began = performance.now();
    for (let count = 0; !signal.aborted; count += 1) {
      await pause(Math.max(0, began + (count * 1000) / rate - performance.now()));
      if (this.underWay.size >= UNDER_WAY) {
        this.failed.push(`${UNDER_WAY} requests are not answered: the server does not keep up`);
        await Promise.race(this.underWay);
      }
      this.begin(this.nextAct(), this.crew.people[count % this.crew.people.length]!);
    }
    await Promise.all([...this.underWay, ...following]);
  }

  /** The results since the last call. */
  takeInterval(): LoadInterval {
    const { latencies, failed } = this;
    [this.latencies, this.failed] = [[], []];
    return { latencies, failed };
  }

  private begin(act: Act, person: ApiClient): void {
    const started = performance.now();
    const done = act(person).then(
      () => void this.latencies.push(performance.now() - started),
      (error: unknown) => void this.failed.push(String(error)),
    );
    this.underWay.add(done);
    void done.finally(() => this.underWay.delete(done));
  }

  /** In percent: 35 sends, 30 pages, 10 marked as read, 10 edits, 5 reactions, 5 stars, 3 searches, 2 registrations. */
  private nextAct(): Act {
    const place = this.random.below(100);
    if (place < 35 || this.messages.length === 0) return (person) => this.send(person);
    const message = this.random.pick(this.messages);
    if (place < 65)
      return (person) => person.must('get', 'messages', pageAround(this.random.pick(this.messages)));
    if (place < 75) return (person) => mark(person, message, { op: 'add', flag: 'read' });
    if (place < 85) return () => edit(message, this.random.below(1_000));
    if (place < 90) return (person) => react(person, message);
    if (place < 95)
      return (person) => mark(person, message, { op: place % 2 === 0 ? 'add' : 'remove', flag: 'starred' });
    if (place < 98) return (person) => person.must('get', 'messages', search);
    return registerAndLeave;
  }

  private async send(person: ApiClient): Promise<Reply> {
    const index = this.sent++;
    const form = {
      type: 'stream',
      to: this.crew.channelId,
      topic: sampleTopic(index),
      content: sampleText(index),
    };
    const reply = await person.must('post', 'messages', form);
    this.messages.push({ id: reply['id'] as number, sender: person });
    if (this.messages.length > REMEMBERED) this.messages.shift();
    return reply;
  }

  /** A client with an event queue of all events, as most clients have. */
  private async follow(person: ApiClient, signal: AbortSignal): Promise<void> {
    try {
      const { queue_id, last_event_id } = await person.must('post', 'register', { fetch_event_types: [] });
      let last = last_event_id as number;
      while (!signal.aborted) {
        const { events } = await person.must('get', 'events', { queue_id, last_event_id: last });
        last = (events as readonly { readonly id: number }[]).at(-1)?.id ?? last;
      }
      await person.must('delete', 'events', { queue_id });
    } catch (error) {
      this.failed.push(String(error));
    }
  }
}

const search = {
  anchor: 'newest',
  num_before: 20,
  num_after: 0,
  narrow: [{ operator: 'search', operand: 'proposal' }],
};

function pageAround({ id }: SentMessage): Readonly<Record<string, unknown>> {
  return { anchor: id, num_before: 50, num_after: 50 };
}

function edit({ id, sender }: SentMessage, number: number): Promise<Reply> {
  return sender.must('patch', `messages/${id}`, { content: `${sampleText(number)}, edited` });
}

function mark(
  person: ApiClient,
  { id }: SentMessage,
  change: Readonly<Record<string, string>>,
): Promise<Reply> {
  return person.must('post', 'messages/flags', { messages: [id], ...change });
}

/** A repeated reaction is refused, because it exists already. */
async function react(person: ApiClient, { id }: SentMessage): Promise<Reply | null> {
  const { status, body } = await person.post(`messages/${id}/reactions`, { emoji_name: 'tada' });
  if (status === 200 || body.code === 'REACTION_ALREADY_EXISTS') return body;
  throw new Error(`A reaction was answered ${status}: ${body.msg}`);
}

async function registerAndLeave(person: ApiClient): Promise<Reply> {
  const reply = await person.must('post', 'register', { event_types: ['message'] });
  return person.must('delete', 'events', { queue_id: reply['queue_id'] });
}
