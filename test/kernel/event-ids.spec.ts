import { describe, expect, it } from '@jest/globals';
import { atRegistration, EventIds, positionOf } from '../../src/realtime/queues/event-ids.js';
import { EventQueue } from '../../src/realtime/queues/event-queue.js';
import { ProcessMemory } from '../../src/realtime/queues/queue-memory.js';
import { everyMessage } from '../../src/realtime/queues/narrow-filter.js';
import { requestedOptionsOf } from '../../src/realtime/queues/queue-options-of.js';

const options = { ...requestedOptionsOf({}, undefined), allPublicChannels: false, narrow: everyMessage };
const message = { type: 'message' };

function queue(progress = atRegistration(10)): EventQueue {
  return new EventQueue({ id: 'here:1', userId: 3 }, options, { counter: new ProcessMemory(), progress });
}

function read(one: EventQueue): { id: number; type: string }[] {
  return JSON.parse(one.take()) as { id: number; type: string }[];
}

describe('ids of events', () => {
  it('begin with 0, rise, and follow from positions alone', () => {
    const [one, other] = [new EventIds(atRegistration(10)), new EventIds(atRegistration(10))];
    const first = one.next(12, 0)!;
    expect(one.shown(first)).toBe(0);
    expect(one.meant(0)).toBe(first);
    expect(one.isNone(7)).toBe(true);
    const second = one.next(12, 1)!;
    const ofMoment = one.nextOutsideLog(12)!;
    const later = one.next(20, 0)!;
    expect(first < second && second < ofMoment && ofMoment < later).toBe(true);
    expect([second, ofMoment, later].map((id) => positionOf(id, 10))).toEqual([12, 12, 20]);
    other.next(12, 0);
    expect(other.next(20, 0)).toBe(later);
  });

  it('run out rather than repeat', () => {
    const ids = new EventIds(atRegistration(0));
    expect(ids.next(1, 2 ** 15 - 1)).not.toBeNull();
    expect(ids.next(1, 2 ** 15)).toBeNull();
    expect(ids.next(2 ** 40, 0)).toBeNull();
    for (let count = 0; count < 2 ** 15; count += 1) expect(ids.nextOutsideLog(1)).not.toBeNull();
    expect(ids.nextOutsideLog(1)).toBeNull();
    expect(ids.nextOutsideLog(2)).not.toBeNull();
  });
});

describe('a restored queue', () => {
  function lived(): EventQueue {
    const one = queue();
    for (const position of [12, 12, 15]) one.push(message, { position, after: 11 });
    one.push({ type: 'typing' }, { position: null, after: 15 });
    one.push(message, { position: 17, after: 15 });
    return one;
  }

  it.each([-1, 0, 1, 2, 3, 4])(
    'has the events that its client has not acknowledged, with the same ids (%#)',
    (index) => {
      const all = read(lived());
      const { base, first } = lived().progress;
      const last = all[index]?.id ?? -1;
      // The acknowledged id may not have been stored: then not even the first id is known.
      for (const known of [first, null]) {
        const acknowledged = last === 0 ? (known ?? 0) : last;
        const again = queue({ base, first: known, acknowledged });
        for (const position of [12, 12, 15, 17]) again.push(message, { position, after: 11 });
        expect(read(again)).toEqual(all.slice(index + 1).filter(({ type }) => type === 'message'));
      }
    },
  );

  it('continues with ids above the last one of its client, even if the log has no new event', () => {
    const acknowledged = read(lived())[3]!.id;
    const again = queue({ base: 10, first: null, acknowledged });
    again.push({ type: 'typing' }, { position: null, after: 11 });
    expect(read(again)[0]!.id).toBeGreaterThan(acknowledged);
  });
});

describe('how far a client is', () => {
  it('is where it has everything, and where merged changes of flags began', () => {
    const one = queue();
    expect(one.acknowledgedThrough(11)).toBe(11);
    const change = { type: 'update_message_flags', op: 'add', flag: 'read', messages: [1], all: false };
    one.push(change, { position: 12, after: 11 });
    one.push(message, { position: 15, after: 12 });
    one.push(change, { position: 17, after: 15 });
    expect(one.acknowledgedThrough(17)).toBe(11);
    const ids = read(one).map(({ id }) => id);
    one.acknowledge(ids[0]!);
    expect(one.acknowledgedThrough(17)).toBe(11);
    one.acknowledge(ids[1]!);
    expect(one.acknowledgedThrough(17)).toBe(17);
    expect(one.acknowledgedThrough(13)).toBe(17);
  });
});
