import { describe, expect, it } from '@jest/globals';
import { RecentTypes } from '../../src/stores/event-store/embedded/recent-types.js';

const wanted = new Set(['MessageSent']);

describe('the announced events that a reader may skip without reading the log', () => {
  it('are all of them, if none has a wanted type', () => {
    const recent = new RecentTypes();
    recent.add({ first: 8, types: ['UserRenamed', 'ChannelCreated'] });
    recent.add({ first: 10, types: ['UserRenamed'] });
    expect(recent.passable(7, wanted)).toBe(10);
    expect(recent.passable(9, wanted)).toBe(10);
  });

  it('are none if one of the following has a wanted type', () => {
    const recent = new RecentTypes();
    recent.add({ first: 8, types: ['UserRenamed', 'MessageSent', 'UserRenamed'] });
    expect(recent.passable(7, wanted)).toBeNull();
    expect(recent.passable(9, wanted)).toBe(10);
  });

  it('do not include events before the first announcement or in a gap between two', () => {
    const recent = new RecentTypes();
    recent.add({ first: 8, types: ['UserRenamed'] });
    expect(recent.passable(6, wanted)).toBeNull();
    recent.add({ first: 10, types: ['UserRenamed'] });
    expect(recent.passable(7, wanted)).toBeNull();
    expect(recent.passable(8, wanted)).toBeNull();
    expect(recent.passable(9, wanted)).toBe(10);
  });

  it('are none at the end of the announcements, and unknown before and after them', () => {
    const recent = new RecentTypes();
    expect(recent.passable(0, wanted)).toBeNull();
    recent.add({ first: 1, types: ['MessageSent'] });
    expect(recent.passable(1, wanted)).toBe(1);
    expect(recent.passable(2, wanted)).toBeNull();
  });

  it('are not replaced by an older announcement that comes late', () => {
    const recent = new RecentTypes();
    recent.add({ first: 11, types: ['MessageSent'] });
    recent.add({ first: 10, types: ['UserRenamed'] });
    expect(recent.passable(10, wanted)).toBeNull();
    expect(recent.passable(11, wanted)).toBe(11);
  });

  it('go back a bounded number of events', () => {
    const recent = new RecentTypes();
    for (let first = 1; first <= 20_000; first += 100) {
      recent.add({ first, types: Array.from({ length: 100 }, () => 'UserRenamed') });
    }
    expect(recent.passable(1, wanted)).toBeNull();
    expect(recent.passable(17_000, wanted)).toBe(20_000);
  });
});
