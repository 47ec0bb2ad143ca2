import { describe, expect, it } from '@jest/globals';
import { RecentTypes } from '../../src/stores/event-store/embedded/recent-types.js';

const wanted = new Set(['MessageSent']);

describe('what a reader may pass by without looking into the log', () => {
  it('is what was announced, none of it wanted', () => {
    const recent = new RecentTypes();
    recent.add({ first: 8, types: ['UserRenamed', 'ChannelCreated'] });
    recent.add({ first: 10, types: ['UserRenamed'] });
    expect(recent.passable(7, wanted)).toBe(10);
    expect(recent.passable(9, wanted)).toBe(10);
  });

  it('is nothing once a wanted event is among it', () => {
    const recent = new RecentTypes();
    recent.add({ first: 8, types: ['UserRenamed', 'MessageSent', 'UserRenamed'] });
    expect(recent.passable(7, wanted)).toBeNull();
    expect(recent.passable(9, wanted)).toBe(10);
  });

  it('is nothing of what came before the announcements, or between two that do not meet', () => {
    const recent = new RecentTypes();
    recent.add({ first: 8, types: ['UserRenamed'] });
    expect(recent.passable(6, wanted)).toBeNull();
    recent.add({ first: 10, types: ['UserRenamed'] });
    expect(recent.passable(7, wanted)).toBeNull();
    expect(recent.passable(8, wanted)).toBeNull();
    expect(recent.passable(9, wanted)).toBe(10);
  });

  it('is nothing more at the end, and unknown before and beyond what was announced', () => {
    const recent = new RecentTypes();
    expect(recent.passable(0, wanted)).toBeNull();
    recent.add({ first: 1, types: ['MessageSent'] });
    expect(recent.passable(1, wanted)).toBe(1);
    expect(recent.passable(2, wanted)).toBeNull();
  });

  it('does not go back when another thread announces late', () => {
    const recent = new RecentTypes();
    recent.add({ first: 11, types: ['MessageSent'] });
    recent.add({ first: 10, types: ['UserRenamed'] });
    expect(recent.passable(10, wanted)).toBeNull();
    expect(recent.passable(11, wanted)).toBe(11);
  });

  it('goes back a bounded number of events', () => {
    const recent = new RecentTypes();
    for (let first = 1; first <= 20_000; first += 100) {
      recent.add({ first, types: Array.from({ length: 100 }, () => 'UserRenamed') });
    }
    expect(recent.passable(1, wanted)).toBeNull();
    expect(recent.passable(17_000, wanted)).toBe(20_000);
  });
});
