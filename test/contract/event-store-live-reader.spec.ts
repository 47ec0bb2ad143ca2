import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { EventPage, EventStore, StoredEvent } from '../../src/stores/event-store/port.js';
import { eventsOf, follow, idsOf, someEvent, someEvents, waitUntil } from './support/event-store-events.js';
import { startStandIn, type StandInFixture } from './support/event-store-fixtures.js';

const types = Array.from({ length: 12 }, (_, number) => `Type${number}`);

describe('the followers of one log in a process', () => {
  let fixture: StandInFixture;
  let store: EventStore;

  beforeEach(async () => {
    fixture = await startStandIn();
    store = fixture.open();
  });

  afterEach(async () => {
    await fixture.close();
  });

  const appendOfEach = async (count: number): Promise<readonly StoredEvent[]> => {
    const events = Array.from({ length: count }, (_, number) => someEvent(types[number % types.length]));
    await store.append('messages', 'any', events);
    return events;
  };

  it('share one subscription when they have caught up, and readings to the end need none', async () => {
    const events = [...(await appendOfEach(1_500))];
    const followers = types.map((type) => follow(store, { after: null, types: [type], pageSize: 100 }));
    await Promise.all(followers.map((one) => one.until(({ pages }) => pages.at(-1)?.live === true)));
    await waitUntil(() => fixture.server.subscriptions === 1);
    const opened = fixture.server.subscriptionsOpened;
    for (let round = 0; round < 20; round += 1) events.push(...(await appendOfEach(24)));
    for (const [index, follower] of followers.entries()) {
      const wanted = events.filter(({ type }) => type === types[index]);
      await follower.until((delivered) => delivered.events.length >= wanted.length);
      expect(idsOf(follower.events)).toEqual(idsOf(wanted));
    }
    expect(idsOf(await eventsOf(store.readAll({ after: null })))).toEqual(idsOf(events));
    expect(fixture.server.subscriptionsOpened).toBe(opened);
    await Promise.all(followers.map((follower) => follower.stop()));
    await waitUntil(() => fixture.server.subscriptions === 0);
  });

  it('do not wait for a slow one, which gets its own subscription and rejoins later', async () => {
    const slow = store.subscribeAll({ after: null, signal: new AbortController().signal });
    const pages = slow[Symbol.asyncIterator]();
    await pages.next();
    const quick = follow(store, { after: null });
    const events: StoredEvent[] = [];
    for (let round = 0; round < 5; round += 1) {
      const batch = someEvents(1_000);
      await store.append('messages', 'any', batch);
      events.push(...batch);
    }
    await quick.until((delivered) => delivered.events.length === 5_000);
    await waitUntil(() => fixture.server.subscriptions === 1);
    const opened = fixture.server.subscriptionsOpened;
    const delivered: string[] = [];
    while (delivered.length < 5_000) {
      const page = (await pages.next()) as IteratorYieldResult<EventPage>;
      delivered.push(...idsOf(page.value.events));
    }
    expect(delivered).toEqual(idsOf(events));
    expect(fixture.server.subscriptionsOpened).toBe(opened + 1);
    const next = pages.next();
    await waitUntil(() => fixture.server.subscriptions === 1);
    await store.append('messages', 'any', someEvents(1));
    await next;
    await pages.return?.();
    await quick.stop();
  });

  it('stay together when connections drop and the server goes away', async () => {
    const followers = [follow(store, { after: null }), follow(store, { after: null, types: ['Wanted'] })];
    const wanted: string[] = [];
    for (let round = 0; round < 12; round += 1) {
      const event = someEvent('Wanted');
      wanted.push(event.id);
      await store.append('messages', 'any', [event]);
      if (round % 4 === 1) fixture.server.dropConnections();
      if (round % 4 === 3) {
        await fixture.server.stop();
        await fixture.server.restart();
      }
    }
    for (const follower of followers) {
      await follower.until(({ events }) => events.length >= wanted.length);
      expect(idsOf(follower.events)).toEqual(wanted);
    }
    await waitUntil(() => fixture.server.subscriptions === 1);
    await Promise.all(followers.map((follower) => follower.stop()));
  });
});
