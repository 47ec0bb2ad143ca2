import { describe, expect, it } from '@jest/globals';
import { EventQueue, queueBounds } from '../../src/realtime/queues/event-queue.js';
import { EventQueues } from '../../src/realtime/queues/event-queues.js';
import { everyMessage } from '../../src/realtime/queues/narrow-filter.js';
import { requestedOptionsOf } from '../../src/realtime/queues/queue-options-of.js';
import type { QueueOptions } from '../../src/realtime/queues/queue-options.js';
import { Turns } from '../../src/realtime/turns.js';

const options: QueueOptions = {
  ...requestedOptionsOf({}),
  allPublicChannels: false,
  narrow: everyMessage,
};

function queue(): EventQueue {
  return new EventQueue({ id: 'here:1', userId: 3 }, options);
}

function ids(events: string): number[] {
  return (JSON.parse(events) as { id: number }[]).map(({ id }) => id);
}

describe('a held poll', () => {
  it('is answered with a heartbeat when nothing happens, whatever types the client asked for', async () => {
    const quiet = new EventQueue({ id: 'here:1', userId: 3 }, { ...options, eventTypes: new Set() });
    expect(JSON.parse(await quiet.poll(1))).toEqual([{ id: 0, type: 'heartbeat' }]);
  });

  it('is answered with everything of one moment together', async () => {
    const one = queue();
    const answer = one.poll(60_000);
    one.push({ type: 'reaction' });
    one.push({ type: 'message' });
    one.flush();
    expect(ids(await answer)).toEqual([0, 1]);
  });

  it('gets at once what was missed', async () => {
    const one = queue();
    one.push({ type: 'message' });
    expect(ids(await one.poll(60_000))).toEqual([0]);
    expect(ids(await one.poll(60_000))).toEqual([0]);
  });

  it('is refused when the queue ends', async () => {
    const one = queue();
    const answer = one.poll(60_000);
    one.end();
    await expect(answer).rejects.toMatchObject({
      code: 'BAD_EVENT_QUEUE_ID',
      fields: { queue_id: 'here:1' },
    });
  });
});

describe('a queue that nobody reads', () => {
  it('is idle once its life is over, but not while a poll is held', async () => {
    const one = queue();
    const later = performance.now() + options.idleSeconds * 1000 + 1;
    expect(one.isIdle()).toBe(false);
    expect(one.isIdle(later)).toBe(true);
    const held = one.poll(60_000);
    expect(one.isIdle(later)).toBe(false);
    one.endHeldPoll();
    await held;
    expect(one.isIdle(later + 60_000)).toBe(true);
  });

  it('holds so many events, and is too long with one more', () => {
    const one = queue();
    for (let count = 0; count < queueBounds.events; count += 1) one.push({ type: 'heartbeat' });
    expect(one.isOverfull).toBe(false);
    one.push({ type: 'heartbeat' });
    expect(one.isOverfull).toBe(true);
    one.take();
    one.acknowledge(queueBounds.events);
    expect(one.isOverfull).toBe(false);
  });

  it('holds so much text', () => {
    const one = queue();
    one.push({ type: 'message', content: 'x'.repeat(queueBounds.characters) });
    expect(one.isOverfull).toBe(true);
  });
});

describe('changes of flags that the client was not given yet', () => {
  type Change = readonly [op: 'add' | 'remove', flag: string, ...messages: number[]];

  function pushed(one: EventQueue, ...changes: readonly Change[]): void {
    for (const [op, flag, ...messages] of changes) {
      one.push({ type: 'update_message_flags', op, operation: op, flag, messages, all: false });
    }
  }

  function told(one: EventQueue): unknown[] {
    const events = JSON.parse(one.take()) as { id: number; op: string; flag: string; messages: number[] }[];
    return events.map(({ id, op, flag, messages }) => [id, op, flag, ...messages]);
  }

  it('are told of together, under the last of their ids', () => {
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
    one.push({ type: 'update_message_flags', op: 'add', flag: 'read', messages: [], all: true });
    pushed(one, ['add', 'read', 3]);
    expect(told(one)).toHaveLength(7);
  });

  it('count as one event, and for all their text', () => {
    const one = queue();
    for (let id = 1; id <= queueBounds.events + 1; id += 1) pushed(one, ['add', 'read', id]);
    expect(one.isOverfull).toBe(false);
    expect(told(one)).toHaveLength(1);
    one.acknowledge(queueBounds.events);
    pushed(one, ['add', 'read', 1]);
    one.push({ type: 'message', content: 'x'.repeat(queueBounds.characters - 1000) });
    expect(one.isOverfull).toBe(false);
  });
});

describe('the queues of an account', () => {
  it('are so many at most: the oldest ends', () => {
    const queues = new EventQueues();
    const first = queues.open(3, options);
    for (let count = 0; count < 2_000; count += 1) queues.open(3, options);
    expect(queues.size).toBe(2_000);
    expect(() => queues.find(3, first.owner.id)).toThrow('Bad event queue id');
  });

  it('end with the account', () => {
    const queues = new EventQueues();
    const [mine, other] = [queues.open(3, options), queues.open(4, options)];
    queues.endAllOf(3);
    expect(() => queues.find(3, mine.owner.id)).toThrow('Bad event queue id');
    expect(queues.find(4, other.owner.id)).toBe(other);
  });

  it('are known to their own process alone', () => {
    const { owner } = new EventQueues().open(3, options);
    expect(() => new EventQueues().find(3, owner.id)).toThrow('Bad event queue id');
  });
});

describe('turns', () => {
  it('let readers in together, and the writer when they are done, before readers that came later', async () => {
    const turns = new Turns();
    const log: string[] = [];
    let finish = (): void => undefined;
    const done = new Promise<void>((resolve) => (finish = resolve));
    const first = turns.read(async () => {
      log.push('first begins');
      await done;
      log.push('first ends');
    });
    const second = turns.read(async () => void log.push('second'));
    const writing = turns.write(async () => void log.push('writer'));
    const third = turns.read(async () => void log.push('third'));
    finish();
    await Promise.all([first, second, writing, third]);
    expect(log).toEqual(['first begins', 'second', 'first ends', 'writer', 'third']);
  });

  it('go on after a reader or the writer failed', async () => {
    const turns = new Turns();
    const failing = (): Promise<never> => Promise.reject(new Error('no'));
    await expect(turns.read(failing)).rejects.toThrow('no');
    await expect(turns.write(failing)).rejects.toThrow('no');
    expect(await turns.read(() => Promise.resolve('yes'))).toBe('yes');
  });
});
