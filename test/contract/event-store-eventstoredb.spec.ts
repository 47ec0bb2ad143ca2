import { afterEach, describe, expect, it } from '@jest/globals';
import {
  connectEventStoreDb,
  EventStoreDb,
} from '../../src/stores/event-store/eventstoredb/event-store-db.js';
import {
  EventStoreUnavailableError,
  type AppendResult,
  type EventStore,
} from '../../src/stores/event-store/port.js';
import {
  eventsOf,
  follow,
  idsOf,
  readWholeStream,
  someEvent,
  someEvents,
  waitUntil,
} from './support/event-store-events.js';
import { startStandIn, type StandInFixture } from './support/event-store-fixtures.js';

/** Milliseconds after which a request is given up where that is tried: a server that answers must do so within a quarter. */
const deadline = 8_000;

describe('the EventStoreDB event store', () => {
  let fixture: StandInFixture;

  const start = async (options: Parameters<typeof startStandIn>[0] = {}): Promise<EventStore> => {
    fixture = await startStandIn(options);
    return fixture.open();
  };

  afterEach(async () => {
    await fixture.close();
  });

  describe('when an acknowledgement is lost', () => {
    it.each(['no-stream', 'any', 1] as const)(
      'under %s finds that the append was stored',
      async (expected) => {
        const store = await start();
        if (expected === 1) await store.append('stream', 'no-stream', someEvents(2));
        const events = someEvents(3);
        fixture.server.dropNextAcknowledgements(1);
        const result = await store.append('stream', expected, events);
        const stored = await readWholeStream(store, 'stream');
        expect(idsOf(stored.slice(-3))).toEqual(idsOf(events));
        expect(stored).toHaveLength(expected === 1 ? 5 : 3);
        expect(result).toEqual({ revision: stored.length - 1, position: stored.at(-1)!.position });
      },
    );

    it.each(['no-stream', 1, 'any'] as const)(
      'looks before it tries again, because the server may have forgotten the ids: expecting %s',
      async (expected) => {
        const store = await start({ remembersIds: false });
        if (expected !== 'no-stream') await store.append('stream', 'no-stream', someEvents(2));
        const events = someEvents(3);
        fixture.server.dropNextAcknowledgements(1);
        const result = await store.append('stream', expected, events);
        const stored = await readWholeStream(store, 'stream');
        expect(idsOf(stored.slice(-3))).toEqual(idsOf(events));
        expect(stored).toHaveLength(expected === 'no-stream' ? 3 : 5);
        expect(result).toEqual({ revision: stored.length - 1, position: stored.at(-1)!.position });
        expect(fixture.server.appendsOf('stream')).toBe(expected === 'no-stream' ? 1 : 2);
      },
    );

    it('finds an append to `messages` behind those of other writers', async () => {
      const store = await start();
      const other = fixture.open();
      await store.append('messages', 'any', someEvents(1));
      const events = someEvents(2);
      fixture.server.dropNextAcknowledgements(1);
      const appending = store.append('messages', 'any', events);
      const rounds = [0, 1, 2].map(() => other.append('messages', 'any', someEvents(700)));
      await Promise.all([appending, ...rounds]);
      const { revision } = await appending;
      const stored = await readWholeStream(store, 'messages');
      expect(idsOf(stored.slice(revision - 1, revision + 1))).toEqual(idsOf(events));
      expect(stored).toHaveLength(2_103);
    });

    it('gives each message of two writers one id, rising in log order', async () => {
      const store = await start();
      const writers = [store, fixture.open()];
      const acknowledged = new Map<string, AppendResult>();
      await Promise.all(
        writers.map(async (writer, index) => {
          for (const [number, event] of someEvents(40).entries()) {
            if (number % 8 === index) fixture.server.dropNextAcknowledgements(1);
            acknowledged.set(event.id, await writer.append('messages', 'any', [event]));
          }
        }),
      );
      const log = await eventsOf(store.readAll({ after: null }));
      expect(log.map((event) => event.revision)).toEqual([...Array(80).keys()]);
      for (const { id, revision, position } of log)
        expect(acknowledged.get(id)).toEqual({ revision, position });
    });

    it('does not take another writer’s event for its own', async () => {
      const store = await start();
      const other = fixture.open();
      fixture.server.dropConnections();
      const results = await Promise.allSettled([
        store.append('stream', 'no-stream', someEvents(1)),
        other.append('stream', 'no-stream', someEvents(1)),
      ]);
      expect(results.map((result) => result.status).sort()).toEqual(['fulfilled', 'rejected']);
      expect(await readWholeStream(store, 'stream')).toHaveLength(1);
    });
  });

  describe('when the server goes away', () => {
    it('appends, reads and follows again once it is back', async () => {
      const store = await start();
      const events = someEvents(4);
      const follower = follow(store, { after: null });
      await store.append('stream', 'no-stream', events.slice(0, 2));
      await follower.until((delivered) => delivered.events.length === 2);
      await fixture.server.stop();
      const appending = store.append('stream', 1, events.slice(2));
      const reading = store.readStream('stream', { limit: 10 });
      await fixture.server.restart();
      expect(await appending).toMatchObject({ revision: 3 });
      expect((await reading).length).toBeGreaterThanOrEqual(2);
      await follower.until((delivered) => delivered.events.length >= 4);
      expect(idsOf(follower.events)).toEqual(idsOf(events));
      await follower.stop();
    });

    it('includes system events in the head only on request', async () => {
      const store = await start();
      expect(await store.head()).toBeNull();
      const empty = await store.head({ withSystemEvents: true });
      expect(empty).not.toBeNull();
      const { position } = await store.append('stream', 'no-stream', someEvents(1));
      expect(position).toBeGreaterThan(empty!);
      expect(await store.head()).toBe(position);
      expect(await store.head({ withSystemEvents: true })).toBe(position);
    });

    it('says within its deadline that the outcome is unknown, and works on when it is back', async () => {
      const store = await start({ deadline });
      await store.append('stream', 'no-stream', someEvents(1));
      await fixture.server.stop();
      const events = someEvents(1);
      const refused = store.append('stream', 0, events);
      const reads = Promise.allSettled([
        store.readStream('stream', { limit: 1 }),
        store.head(),
        eventsOf(store.readAll({ after: null })),
      ]);
      await expect(refused).rejects.toBeInstanceOf(EventStoreUnavailableError);
      await expect(refused).rejects.toMatchObject({ written: 'unknown' });
      for (const read of await reads) {
        expect(read).toMatchObject({ reason: { name: 'EventStoreUnavailableError', written: false } });
      }
      await fixture.server.restart();
      expect(await store.append('stream', 0, events)).toMatchObject({ revision: 1 });
    });

    it('stores an append once that a stalled server took up after its deadline', async () => {
      const store = await start({ deadline });
      await store.append('messages', 'any', someEvents(1));
      fixture.server.stall();
      const events = someEvents(2);
      await Promise.all([
        expect(store.append('messages', 'any', events)).rejects.toMatchObject({ written: 'unknown' }),
        expect(eventsOf(store.readAll({ after: null }))).rejects.toBeInstanceOf(EventStoreUnavailableError),
        expect(store.readStream('messages', { limit: 1 })).rejects.toBeInstanceOf(EventStoreUnavailableError),
      ]);
      fixture.server.resume();
      expect(await store.append('messages', 'any', events)).toMatchObject({ revision: 2 });
      expect(idsOf(await readWholeStream(store, 'messages'))).toHaveLength(3);
    });
  });

  describe('a subscription', () => {
    it.each([undefined, ['Wanted']])(
      'loses and doubles nothing while connections keep dropping (types: %p)',
      async (types) => {
        const store = await start();
        const follower = follow(store, { after: null, pageSize: 5, ...(types && { types }) });
        const wanted: string[] = [];
        for (let round = 0; round < 60; round += 1) {
          const event = someEvent('Wanted');
          wanted.push(event.id);
          await store.append('messages', 'any', [event, ...(types ? someEvents(20, 'Other') : [])]);
          if (round % 10 === 4) fixture.server.dropConnections();
          if (round % 10 === 9) await follower.until(({ events }) => events.length >= round);
          if (round % 20 === 15) {
            await fixture.server.stop();
            await fixture.server.restart();
          }
        }
        await follower.until(({ events }) => events.length >= wanted.length);
        expect(idsOf(follower.events)).toEqual(wanted);
        await follower.stop();
      },
    );

    it('that is thrown out for being slow comes back where it was', async () => {
      await start({ liveBuffer: 8 });
      const store = new EventStoreDb({ connectionString: fixture.server.connectionString });
      const ending = new AbortController();
      const events = Array.from({ length: 400 }, () => someEvent('Large', { text: 'x'.repeat(4_000) }));
      const delivered: string[] = [];
      for await (const page of store.subscribeAll({ after: null, pageSize: 4, signal: ending.signal })) {
        if (page.live && delivered.length === 0) {
          for (const event of events) await store.append('messages', 'any', [event]);
        }
        delivered.push(...idsOf(page.events));
        if (delivered.length >= events.length) ending.abort();
      }
      expect(delivered).toEqual(idsOf(events));
      expect(fixture.server.slowConsumers).toBeGreaterThan(0);
      await store.close();
    });

    it('leaves nothing behind on the server, however it ends', async () => {
      const store = await start();
      await store.append('messages', 'any', someEvents(20));
      for await (const page of store.subscribeAll({
        after: null,
        pageSize: 2,
        signal: new AbortController().signal,
      })) {
        if (page.events.length > 0) break;
      }
      for await (const page of store.readAll({ after: null, pageSize: 2 })) if (page.events.length > 0) break;
      const follower = follow(store, { after: null });
      await follower.until(({ events }) => events.length === 20);
      await follower.stop();
      await waitUntil(() => fixture.server.subscriptions === 0);
      const another = fixture.open();
      const last = follow(another, { after: null });
      await last.until(({ events }) => events.length === 20);
      await another.close();
      await waitUntil(() => fixture.server.subscriptions === 0);
    });

    it('survives a failure of its consumer', async () => {
      const store = await start();
      await store.append('messages', 'any', someEvents(1));
      const consume = async (): Promise<void> => {
        for await (const page of store.subscribeAll({ after: null, signal: new AbortController().signal })) {
          throw new Error(`No use for ${page.events.length} events`);
        }
      };
      await expect(consume()).rejects.toThrow('No use for');
      await waitUntil(() => fixture.server.subscriptions === 0);
    });
  });

  it('refuses a connection string that would make failed appends look successful', async () => {
    await start();
    const connectionString = `${fixture.server.connectionString}&throwOnAppendFailure=false`;
    expect(() => connectEventStoreDb({ connectionString })).toThrow('throwOnAppendFailure');
    expect(() => connectEventStoreDb({ connectionString: 'http://127.0.0.1' })).toThrow('esdb://');
  });
});
