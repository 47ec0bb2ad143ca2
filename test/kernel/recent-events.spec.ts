import { describe, expect, it } from '@jest/globals';
import { RecentEvents, type CommittedEvent } from '../../src/stores/event-store/embedded/recent-events.js';

function committed(position: number, type = 'MessageSent', data = `{"number":${position}}`): CommittedEvent {
  const stream = 'messages';
  return {
    id: `event-${position}`,
    type,
    data,
    metadata: '{"at":1}',
    stream,
    revision: position - 1,
    position,
  };
}

const everything = { types: null, limit: 100 };

describe('what followers in the same thread are handed without looking into the log', () => {
  it('is every event behind their position, as it would be read', () => {
    const recent = new RecentEvents();
    recent.add([committed(5), committed(6)]);
    recent.add([committed(7)]);
    const { metadata: _metadata, ...rest } = committed(7);
    const page = recent.page({ after: 6, end: 7, ...everything });
    expect(page).toEqual({
      events: [{ ...rest, data: { number: 7 }, metadata: { at: 1 } }],
      position: 7,
      live: true,
    });
    expect(recent.page({ after: 4, end: 7, ...everything })?.events).toHaveLength(3);
  });

  it('is of the types that they want, a page at a time', () => {
    const recent = new RecentEvents();
    recent.add([committed(1), committed(2, 'UserRenamed'), committed(3), committed(4, 'UserRenamed')]);
    const types = new Set(['MessageSent']);
    const first = recent.page({ after: 0, end: 4, types, limit: 1 });
    expect(first).toMatchObject({ events: [{ position: 1 }], position: 1, live: false });
    const second = recent.page({ after: 1, end: 4, types, limit: 2 });
    expect(second).toMatchObject({ events: [{ position: 3 }], position: 4, live: true });
  });

  it('is the whole of the last commit, however many events it has', () => {
    const recent = new RecentEvents();
    recent.add(Array.from({ length: 200 }, (_, index) => committed(index + 1)));
    recent.add(Array.from({ length: 200 }, (_, index) => committed(index + 201)));
    const page = recent.page({ after: 200, end: 400, types: null, limit: 500 });
    expect(page?.events).toHaveLength(200);
  });

  it('is nothing for a follower that has read a commit before it was announced, so that it never goes back', () => {
    const recent = new RecentEvents();
    recent.add([committed(1), committed(2)]);
    expect(recent.page({ after: 4, end: 2, ...everything })).toBeNull();
    recent.add([committed(3), committed(4)]);
    expect(recent.page({ after: 4, end: 4, ...everything })).toEqual({ events: [], position: 4, live: true });
  });

  it('is parsed once for all of them', () => {
    const recent = new RecentEvents();
    recent.add([committed(1)]);
    const [one] = recent.page({ after: 0, end: 1, ...everything })!.events;
    const [other] = recent.page({ after: 0, end: 1, ...everything })!.events;
    expect(other).toBe(one);
  });

  it('is nothing when some of it was committed elsewhere', () => {
    const recent = new RecentEvents();
    expect(recent.page({ after: 0, end: 0, ...everything })).toBeNull();
    recent.add([committed(1)]);
    expect(recent.page({ after: 0, end: 2, ...everything })).toBeNull();
    recent.add([committed(3)]);
    expect(recent.page({ after: 0, end: 3, ...everything })).toBeNull();
    expect(recent.page({ after: 2, end: 3, ...everything })?.events).toHaveLength(1);
  });

  it.each([
    ['events', '{}', 5_000],
    ['characters', JSON.stringify({ text: 'x'.repeat(100_000) }), 50],
  ])('goes back a bounded number of %s', (_what, data, count) => {
    const recent = new RecentEvents();
    for (let position = 1; position <= count; position += 1) {
      recent.add([committed(position, 'MessageSent', data)]);
    }
    expect(recent.page({ after: 0, end: count, ...everything })).toBeNull();
    expect(recent.page({ after: count - 3, end: count, ...everything })?.events).toHaveLength(3);
  });
});
