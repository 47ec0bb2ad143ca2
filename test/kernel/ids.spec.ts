import { describe, expect, it } from '@jest/globals';
import { commandIdOf, eventId, randomCommandId } from '../../src/stores/event-store/event-id.js';
import { idAtRevision, revisionOfId, sortedIds } from '../../src/kernel/ids.js';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe('ids', () => {
  it('begin at one and follow the revisions of their stream', () => {
    expect([0, 1, 41].map(idAtRevision)).toEqual([1, 2, 42]);
    expect([1, 2, 42].map(revisionOfId)).toEqual([0, 1, 41]);
  });

  it('are sorted as numbers, each once', () => {
    expect(sortedIds([10, 9, 2, 9])).toEqual([2, 9, 10]);
    expect(sortedIds(new Set([3, 1]))).toEqual([1, 3]);
  });

  it('of events are lower-case UUIDs that every retry of a command derives again', () => {
    const commandId = randomCommandId();
    expect(eventId(commandId, 0)).toMatch(uuid);
    expect(eventId(commandId, 0)).toBe(eventId(commandId, 0));
    const ids = Array.from({ length: 1000 }, (_, index) => eventId(commandId, index));
    expect(new Set(ids).size).toBe(1000);
    expect(ids.every((id) => uuid.test(id))).toBe(true);
    expect(eventId(randomCommandId(), 0)).not.toBe(eventId(commandId, 0));
  });

  it('of events never change between releases, because a retry may meet a newer one', () => {
    expect(eventId('5f0c9e5c-7b1d-4b52-8a3c-0d6f5d1e2a3b', 3)).toBe('732f7633-925a-86d7-b034-cb2dd2b7aeee');
    expect(eventId('019aab5c-7b1d-7b52-8a3c-0d6f5d1e2a3b', 3)).toBe('019aab5c-7b1d-84a7-9ae1-9f8632aa0003');
  });

  it('of events come in the order of the commands that nobody can send again', () => {
    const ids = Array.from({ length: 100 }, (_, index) =>
      eventId(randomCommandId(1_800_000_000_000 + index), 0),
    );
    expect(ids).toEqual([...ids].sort());
    expect(ids.every((id) => uuid.test(id))).toBe(true);
    expect(randomCommandId(1_800_000_000_000)).toMatch(
      /^01a3185c-5000-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    );
  });

  it('of repeatable commands depend on every part and on where each ends', () => {
    expect(commandIdOf(['3', 'queue', '17'])).toMatch(uuid);
    expect(commandIdOf(['3', 'queue', '17'])).toBe(commandIdOf(['3', 'queue', '17']));
    const others = [
      ['3', 'queue', '18'],
      ['3', 'queue1', '7'],
      ['3', 'queue17'],
      ['queue', '3', '17'],
    ];
    for (const parts of others) expect(commandIdOf(parts)).not.toBe(commandIdOf(['3', 'queue', '17']));
    expect(commandIdOf(['a', '0'])).not.toBe(eventId('a', 0));
  });
});
