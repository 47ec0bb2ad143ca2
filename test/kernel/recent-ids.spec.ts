import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { RECENT_EVENTS, RecentIds } from '../../src/event-store/embedded/recent-ids.js';

function idOf(revision: number): string {
  const digits = revision.toString(16).padStart(12, '0');
  // Many end alike.
  return `${digits.slice(0, 8)}-${digits.slice(8)}-4000-8000-0000000000${digits.slice(-2)}`;
}

describe('the ids of the last events of a stream', () => {
  it('tell at which revision each stands', () => {
    const recent = new RecentIds('messages');
    const ids = Array.from({ length: 1_000 }, () => randomUUID());
    ids.forEach((id, revision) => recent.add(id, revision));
    expect(ids.map((id) => recent.revisionOf(id))).toEqual(ids.map((_, revision) => revision));
    expect(recent.revisionOf(randomUUID())).toBeUndefined();
  });

  it('go as far back as is promised, and no further', () => {
    const recent = new RecentIds('messages');
    const last = RECENT_EVENTS + 5_000;
    for (let revision = 0; revision <= last; revision += 1) recent.add(idOf(revision), revision);
    const oldest = last - RECENT_EVENTS + 1;
    for (const revision of [oldest, oldest + 1, RECENT_EVENTS - 1, RECENT_EVENTS, last - 1, last]) {
      expect(recent.revisionOf(idOf(revision))).toBe(revision);
    }
    expect(recent.revisionOf(idOf(oldest - 1))).toBeUndefined();
    expect(recent.revisionOf(idOf(0))).toBeUndefined();
  });

  it('begin anew after a gap', () => {
    const recent = new RecentIds('messages');
    recent.add(idOf(7), 7);
    recent.add(idOf(100_000), 100_000);
    recent.add(idOf(100_001), 100_001);
    expect(recent.revisionOf(idOf(7))).toBeUndefined();
    expect(recent.revisionOf(idOf(100_000))).toBe(100_000);
    expect(recent.revisionOf(idOf(100_001))).toBe(100_001);
  });
});
