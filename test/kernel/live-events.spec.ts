import { describe, expect, it } from '@jest/globals';
import { LiveEvents } from '../../src/stores/event-store/following/live-events.js';
import type { PersistedEvent } from '../../src/stores/event-store/port.js';

function event(position: number, text = ''): PersistedEvent {
  const type = position % 2 === 0 ? 'Even' : 'Odd';
  return {
    id: String(position),
    type,
    data: { text },
    metadata: {},
    stream: 's',
    revision: position,
    position,
  };
}

function events(from: number, through: number, text = ''): PersistedEvent[] {
  return Array.from({ length: through - from + 1 }, (_, index) => event(from + index, text));
}

const positions = (page: { readonly events: readonly PersistedEvent[] }): number[] =>
  page.events.map(({ position }) => position);

describe('the last events of the log', () => {
  it('are handed out behind any position that is covered, by type and in pages', () => {
    const live = new LiveEvents(10);
    live.add({ events: events(11, 20), position: 25, live: true });
    expect(live.covers(9)).toBe(false);
    expect(live.covers(10)).toBe(true);
    const all = live.page({ after: 15, types: null, limit: 100 });
    expect(positions(all)).toEqual([16, 17, 18, 19, 20]);
    expect(all).toMatchObject({ position: 25, live: true });
    const even = live.page({ after: 10, types: new Set(['Even']), limit: 2 });
    expect(positions(even)).toEqual([12, 14]);
    expect(even).toMatchObject({ position: 14, live: false });
    expect(live.page({ after: 14, types: new Set(['None']), limit: 2 })).toEqual({
      events: [],
      position: 25,
      live: true,
    });
  });

  it('are not live for whoever stands further on than they reach', () => {
    const live = new LiveEvents(0);
    live.add({ events: events(1, 5), position: 5, live: true });
    expect(live.page({ after: 7, types: null, limit: 9 })).toEqual({ events: [], position: 7, live: false });
  });

  it('are limited in number and size', () => {
    const many = new LiveEvents(0);
    many.add({ events: events(1, 5_000), position: 5_000, live: true });
    expect(many.covers(2_951)).toBe(false);
    expect(many.covers(2_952)).toBe(true);
    const large = new LiveEvents(0);
    for (let position = 1; position <= 20; position += 1)
      large.add({ events: [event(position, 'x'.repeat(1_000_000))], position, live: true });
    expect(large.covers(11)).toBe(false);
    expect(large.covers(12)).toBe(true);
    expect(positions(large.page({ after: 12, types: null, limit: 100 }))).toHaveLength(8);
  });

  it('cover nothing any more once they have ended', () => {
    const live = new LiveEvents(0);
    live.endAll();
    expect(live.isOver).toBe(true);
    expect(live.covers(1_000_000)).toBe(false);
  });
});
