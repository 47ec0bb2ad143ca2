import { describe, expect, it } from '@jest/globals';
import { budgets } from '../../src/kernel/budgets.js';
import { MessageText, type ClientEvent } from '../../src/realtime/client-event.js';
import type { EventSource } from '../../src/realtime/queues/event-ids.js';
import { EventQueue } from '../../src/realtime/queues/event-queue.js';
import { EventQueues } from '../../src/realtime/queues/event-queues.js';
import { ProcessMemory } from '../../src/realtime/queues/queue-memory.js';
import { everyMessage } from '../../src/realtime/queues/narrow-filter.js';
import { requestedOptionsOf } from '../../src/realtime/queues/queue-options-of.js';
import type { QueueOptions } from '../../src/realtime/queues/queue-options.js';
import { ReadWriteLock } from '../../src/realtime/read-write-lock.js';

const options: QueueOptions = {
  ...requestedOptionsOf({}, undefined),
  allPublicChannels: false,
  narrow: everyMessage,
};

/** All client events are from one event of the log, so that their ids are consecutive. */
const here: EventSource = { position: 0, after: -1 };

const feed = { dispatchedThrough: 0 };

function queue(): EventQueue {
  return new EventQueue({ id: 'here:1', userId: 3 }, options, { counter: new ProcessMemory() });
}

function ids(events: string): number[] {
  return (JSON.parse(events) as { id: number }[]).map(({ id }) => id);
}

describe('a held poll', () => {
  it('is answered with a heartbeat when no event arrives, for any requested types', async () => {
    const quiet = new EventQueue(
      { id: 'here:1', userId: 3 },
      { ...options, eventTypes: new Set() },
      { counter: new ProcessMemory() },
    );
    expect(JSON.parse(await quiet.poll(1, feed))).toEqual([{ id: 32_768, type: 'heartbeat' }]);
  });

  it('is answered with all simultaneous events together', async () => {
    const one = queue();
    const answer = one.poll(60_000, feed);
    one.push({ type: 'reaction' }, here);
    one.push({ type: 'message' }, here);
    one.flush();
    expect(ids(await answer)).toEqual([0, 1]);
  });

  it('is answered at once with events that arrived before it', async () => {
    const one = queue();
    one.push({ type: 'message' }, here);
    expect(ids(await one.poll(60_000, feed))).toEqual([0]);
    expect(ids(await one.poll(60_000, feed))).toEqual([0]);
  });

  it('is refused when the queue ends', async () => {
    const one = queue();
    const answer = one.poll(60_000, feed);
    one.end();
    await expect(answer).rejects.toMatchObject({
      code: 'BAD_EVENT_QUEUE_ID',
      fields: { queue_id: 'here:1' },
    });
  });
});

describe('a queue that nobody reads', () => {
  it('is idle after its lifetime, but not while a poll is held', async () => {
    const one = queue();
    const later = performance.now() + options.idleSeconds * 1000 + 1;
    expect(one.isIdle()).toBe(false);
    expect(one.isIdle(later)).toBe(true);
    const held = one.poll(60_000, feed);
    expect(one.isIdle(later)).toBe(false);
    one.endHeldPoll();
    await held;
    expect(one.isIdle(later + 60_000)).toBe(true);
  });

  it('has a maximum number of unread events, and is overfull with one more', () => {
    const one = queue();
    for (let count = 0; count < budgets.eventQueueEvents.max; count += 1)
      one.push({ type: 'heartbeat' }, here);
    expect(one.isOverfull).toBe(false);
    one.push({ type: 'heartbeat' }, here);
    expect(one.isOverfull).toBe(true);
    one.take();
    one.acknowledge(budgets.eventQueueEvents.max);
    expect(one.isOverfull).toBe(false);
  });

  it('is overfull when no id is left for events outside the log', () => {
    const one = queue();
    const outside: EventSource = { position: null, after: -1 };
    for (let count = 0; count < 2 ** 15; count += 1) {
      one.push({ type: 'typing' }, outside);
      const [id] = ids(one.take());
      one.acknowledge(id!);
    }
    expect(one.isOverfull).toBe(false);
    one.push({ type: 'typing' }, outside);
    expect(one.isOverfull).toBe(true);
  });

  it('is never overfull because of heartbeats while the log grows', async () => {
    const one = queue();
    const growing = { dispatchedThrough: 0 };
    const heartbeat = async (): Promise<void> => {
      const [id] = ids(await one.poll(0, growing));
      one.acknowledge(id!);
    };
    for (let count = 0; count < 2 ** 15; count += 1) {
      one.push({ type: 'typing' }, { position: null, after: 0 });
      one.acknowledge(ids(one.take())[0]!);
    }
    growing.dispatchedThrough = 1;
    await heartbeat();
    expect(one.isOverfull).toBe(false);
    one.push({ type: 'message' }, { position: 2, after: 1 });
    expect(ids(one.take())).toHaveLength(1);
  });

  it('has a maximum size of its events', () => {
    const one = queue();
    one.push({ type: 'message', content: 'x'.repeat(budgets.eventQueueBytes.max) }, here);
    expect(one.isOverfull).toBe(true);
  });
});

describe('a reply', () => {
  it('has a maximum size but at least one event; the following events come with the next reply', () => {
    const one = queue();
    const content = 'x'.repeat(budgets.eventReplyBytes.max / 2 - 1_000);
    for (let count = 0; count < 3; count += 1) one.push({ type: 'message', content }, here);
    one.push({ type: 'message', content: 'x'.repeat(budgets.eventReplyBytes.max + 1) }, here);
    expect(ids(one.take())).toEqual([0, 1]);
    expect(() => one.acknowledge(2)).toThrow('Event 2 was not in this queue');
    one.acknowledge(1);
    expect(ids(one.take())).toEqual([2]);
    one.acknowledge(2);
    expect(ids(one.take())).toEqual([3]);
  });

  it('ends after the changes of flags that were merged with those in front of its end, not later', () => {
    const one = queue();
    const content = 'x'.repeat(budgets.eventReplyBytes.max / 2 + 1_000);
    const change = { type: 'update_message_flags', op: 'add', operation: 'add', flag: 'starred', all: false };
    one.push({ ...change, messages: [1] }, here);
    for (let count = 0; count < 3; count += 1) one.push({ type: 'message', content }, here);
    one.push({ ...change, messages: [2] }, here);
    one.push({ type: 'message', content }, here);
    expect(ids(one.take())).toEqual([1, 2, 3, 4]);
    one.acknowledge(4);
    expect(ids(one.take())).toEqual([5]);
  });
});

describe('changes of flags that the client has not received yet', () => {
  type Change = readonly [op: 'add' | 'remove', flag: string, ...messages: number[]];

  function pushed(one: EventQueue, ...changes: readonly Change[]): void {
    for (const [op, flag, ...messages] of changes) {
      one.push({ type: 'update_message_flags', op, operation: op, flag, messages, all: false }, here);
    }
  }

  function told(one: EventQueue): unknown[] {
    const events = JSON.parse(one.take()) as { id: number; op: string; flag: string; messages: number[] }[];
    return events.map(({ id, op, flag, messages }) => [id, op, flag, ...messages]);
  }

  it('are merged into one event with the id of the last', () => {
    const one = queue();
    pushed(one, ['add', 'read', 1], ['add', 'starred', 7], ['add', 'read', 2, 3], ['add', 'starred', 8]);
    const together = [
      [2, 'add', 'read', 1, 2, 3],
      [3, 'add', 'starred', 7, 8],
    ];
    expect(told(one)).toEqual(together);
    pushed(one, ['add', 'read', 4]);
    expect(told(one)).toEqual([...together, [4, 'add', 'read', 4]]);
    one.acknowledge(2);
    expect(told(one)).toEqual([together[1], [4, 'add', 'read', 4]]);
  });

  it('stay apart where one takes another back, or says more than ids', () => {
    const one = queue();
    pushed(one, ['add', 'starred', 1], ['remove', 'starred', 1], ['add', 'starred', 2]);
    pushed(one, ['remove', 'read', 1], ['remove', 'read', 2]);
    one.push({ type: 'update_message_flags', op: 'add', flag: 'read', messages: [], all: true }, here);
    pushed(one, ['add', 'read', 3]);
    expect(told(one)).toHaveLength(7);
  });

  it('count as one event, and for all their text', () => {
    const one = queue();
    for (let id = 1; id <= budgets.eventQueueEvents.max + 1; id += 1) pushed(one, ['add', 'read', id]);
    expect(one.isOverfull).toBe(false);
    expect(told(one)).toHaveLength(1);
    one.acknowledge(budgets.eventQueueEvents.max);
    pushed(one, ['add', 'read', 1]);
    one.push({ type: 'message', content: 'x'.repeat(budgets.eventQueueBytes.max - 1000) }, here);
    expect(one.isOverfull).toBe(false);
  });
});

/** Adds an event in the same way as the delivery. */
function push(queues: EventQueues, queue: EventQueue, event: ClientEvent): void {
  queue.push(event, here);
  queues.keepWithinBounds(queue);
}

/** Accounts from 101 to 999,999 are bots: 101 and 201 of person 1, for example. */
function ownerOf(userId: number): number {
  return userId < 1_000_000 ? userId % 100 : userId;
}

describe('the queues of a person and their bots', () => {
  it('have a maximum number: beyond it, the queue that was polled least recently ends', () => {
    const queues = new EventQueues(ownerOf);
    const { max } = budgets.eventQueuesOfOwner;
    const [first, second] = [queues.open(101, options), queues.open(201, options)];
    const other = queues.open(2, options);
    for (let bot = 3; queues.size < max + 1; bot += 1) queues.open(100 * bot + 1, options);
    first.take();
    const added = queues.open(1, options);
    expect(queues.size).toBe(max + 1);
    expect(queues.find(1, added.owner.id)).toBe(added);
    expect(queues.find(101, first.owner.id)).toBe(first);
    expect(queues.find(2, other.owner.id)).toBe(other);
    expect(() => queues.find(201, second.owner.id)).toThrow('Bad event queue id');
    queues.endAll();
    expect([queues.size, queues.bytes]).toEqual([0, 0]);
  });

  it('have a maximum size together: beyond it, a queue ends', () => {
    const queues = new EventQueues(ownerOf);
    const content = 'x'.repeat(budgets.eventQueueBytes.max - 10_000);
    const count = budgets.eventBytesOfOwner.max / budgets.eventQueueBytes.max;
    const first = queues.open(101, options);
    push(queues, first, { type: 'message', content });
    for (let bot = 2; bot <= count; bot += 1)
      push(queues, queues.open(100 * bot + 1, options), { type: 'message', bot, content });
    expect(queues.size).toBe(count);
    push(queues, queues.open(1, options), { type: 'message', content: 'x'.repeat(200_000) });
    expect(queues.size).toBe(count);
    expect(queues.get(first.owner.id)).toBeNull();
  });

  it('are limited together already when they open', () => {
    const queues = new EventQueues(ownerOf);
    const large = { ...options, bytes: budgets.eventBytesOfAccount.max / 2 - 1_000 };
    const [first] = [queues.open(101, large), queues.open(101, large)];
    expect(queues.size).toBe(2);
    queues.open(101, large);
    expect(queues.size).toBe(2);
    expect(queues.get(first.owner.id)).toBeNull();
  });
});

describe('the queues of an account', () => {
  it('have a maximum number: beyond it, the queue that was polled least recently ends', () => {
    const queues = new EventQueues();
    const [first, second] = [queues.open(3, options), queues.open(3, options)];
    while (queues.size < budgets.eventQueuesOfAccount.max) queues.open(3, options);
    first.take();
    queues.open(3, options);
    expect(queues.size).toBe(budgets.eventQueuesOfAccount.max);
    expect(queues.find(3, first.owner.id)).toBe(first);
    expect(() => queues.find(3, second.owner.id)).toThrow('Bad event queue id');
  });

  it('have a maximum size together: the queue polled least recently ends first, one with a held poll last', async () => {
    const queues = new EventQueues();
    const own = Array.from({ length: 4 }, () => queues.open(3, options));
    const [first, waiting, second, third] = own as [EventQueue, EventQueue, EventQueue, EventQueue];
    const other = queues.open(4, options);
    const held = waiting.poll(60_000, feed);
    first.take();
    const part = { type: 'message', content: 'x'.repeat(budgets.eventBytesOfAccount.max / 3 - 10_000) };
    for (const queue of [first, second, third, other]) push(queues, queue, part);
    expect([...queues.of(3)]).toEqual(own);
    push(queues, first, { type: 'message', content: 'x'.repeat(30_000) });
    expect([...queues.of(3)]).toEqual([first, waiting, third]);
    expect([...queues.of(4)]).toEqual([other]);
    expect(() => queues.find(3, second.owner.id)).toThrow('Bad event queue id');
    waiting.endHeldPoll();
    await held;
  });

  it('count an event that they share once, and free its memory when they end', () => {
    const queues = new EventQueues();
    const event = { type: 'message', content: 'x'.repeat(1_000_000) };
    for (let count = 0; count < 10; count += 1) push(queues, queues.open(count, options), event);
    expect(queues.bytes).toBeGreaterThan(1_000_000);
    expect(queues.bytes).toBeLessThan(1_100_000);
    queues.endAll();
    expect(queues.bytes).toBe(0);
  });

  it('have a maximum size in the whole process: the account with the most loses a queue', () => {
    const queues = new EventQueues();
    const text = 'x'.repeat(budgets.eventQueueBytes.max - 10_000);
    const small = queues.open(1, options);
    const accounts = Math.floor(budgets.eventBytesOfProcess.max / budgets.eventQueueBytes.max);
    for (let userId = 2; userId < 2 + accounts; userId += 1) {
      push(queues, queues.open(userId, options), { type: 'message', userId, content: text });
    }
    expect(queues.size).toBe(1 + accounts);
    push(queues, queues.open(100, options), { type: 'message', content: 'x'.repeat(500_000) });
    expect(queues.bytes).toBeLessThanOrEqual(budgets.eventBytesOfProcess.max);
    expect(queues.size).toBe(1 + accounts);
    expect(queues.find(1, small.owner.id)).toBe(small);
  });

  it('have a maximum number in the whole process: the person with the most loses a queue', () => {
    const queues = new EventQueues(ownerOf);
    const { max } = budgets.eventQueuesOfProcess;
    const many = Array.from({ length: 1_500 }, (_, index) => queues.open(101 + 100 * (index % 500), options));
    for (let id = 1_000_000; queues.size < max; id += 1) queues.open(id, options);
    const [first, second] = many as [EventQueue, EventQueue];
    first.take();
    const added = queues.open(5, options);
    expect(queues.size).toBe(max);
    expect(queues.find(5, added.owner.id)).toBe(added);
    expect(queues.get(first.owner.id)).toBe(first);
    expect(queues.get(second.owner.id)).toBeNull();
  });

  it('lose the events that contain the text of an erased message', () => {
    const queues = new EventQueues();
    const one = queues.open(3, options);
    const said = new MessageText('{"id":7,"content":"gone"}', 7);
    one.push({ type: 'message', message: said, flags: [] }, here);
    one.push({ type: 'message', message: new MessageText('{"id":8}', 8), flags: [] }, here);
    one.push({ type: 'update_message', message_id: 7, content: 'gone' }, here);
    one.push({ type: 'submessage', message_id: 7, content: 'gone' }, here);
    one.push({ type: 'reaction', message_id: 7 }, here);
    queues.forgetMessage(7);
    expect(ids(one.take())).toEqual([1, 4]);
  });

  it('end with the account', () => {
    const queues = new EventQueues();
    const [mine, other] = [queues.open(3, options), queues.open(4, options)];
    queues.endAllOf(3);
    expect(() => queues.find(3, mine.owner.id)).toThrow('Bad event queue id');
    expect(queues.find(4, other.owner.id)).toBe(other);
  });

  it('are known only to their own process', () => {
    const { owner } = new EventQueues().open(3, options);
    expect(() => new EventQueues().find(3, owner.id)).toThrow('Bad event queue id');
  });
});

describe('the lock of readers and a writer', () => {
  it('admits readers together, and then the writer before readers that came later', async () => {
    const lock = new ReadWriteLock();
    const log: string[] = [];
    let finish = (): void => undefined;
    const done = new Promise<void>((resolve) => (finish = resolve));
    const first = lock.read(async () => {
      log.push('first begins');
      await done;
      log.push('first ends');
    });
    const second = lock.read(async () => void log.push('second'));
    const writing = lock.write(async () => void log.push('writer'));
    const third = lock.read(async () => void log.push('third'));
    finish();
    await Promise.all([first, second, writing, third]);
    expect(log).toEqual(['first begins', 'second', 'first ends', 'writer', 'third']);
  });

  it('continues after a reader or a writer failed', async () => {
    const lock = new ReadWriteLock();
    const failing = (): Promise<never> => Promise.reject(new Error('no'));
    await expect(lock.read(failing)).rejects.toThrow('no');
    await expect(lock.write(failing)).rejects.toThrow('no');
    expect(await lock.read(() => Promise.resolve('yes'))).toBe('yes');
  });
});
