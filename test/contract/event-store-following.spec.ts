import { describe, expect, it } from '@jest/globals';
import type { RecordedEvent } from '../../src/kernel/event.js';
import { LogOnDemand } from '../../src/stores/event-store/following/log-on-demand.js';
import { EventStoreUnavailableError, type PersistedEvent } from '../../src/stores/event-store/port.js';
import { standIn } from '../support/stand-in.js';
import {
  eventsOf,
  follow,
  idsOf,
  readWholeStream,
  someEvent,
  someEvents,
  uniqueName,
  waitUntil,
} from './support/event-store-events.js';
import { describeEventStores } from './support/event-store-suite.js';

describeEventStores('following an event store', (given) => {
  describe('a subscription', () => {
    it('catches up, reports that it is live, and continues', async () => {
      const stream = uniqueName('stream');
      const after = await given.store.head();
      const events = someEvents(30);
      await given.store.append(stream, 'any', events.slice(0, 10));
      const follower = follow(given.store, { after, pageSize: 4 });
      await follower.until(({ pages }) => pages.at(-1)?.live === true);
      expect(follower.events).toHaveLength(10);
      expect(follower.pages[0]!.live).toBe(false);
      for (const event of events.slice(10)) await given.store.append(stream, 'any', [event]);
      await follower.until((delivered) => delivered.events.length >= 30);
      await follower.until(({ pages }) => pages.at(-1)?.live === true);
      expect(idsOf(follower.events)).toEqual(idsOf(events));
      await follower.stop();
    });

    it('catches up in whole pages', async () => {
      const stream = uniqueName('stream');
      const after = await given.store.head();
      for (let count = 0; count < 10; count += 1) await given.store.append(stream, 'any', someEvents(1_000));
      for (const types of [undefined, ['SomethingHappened']]) {
        const follower = follow(given.store, { after, pageSize: 1_000, ...(types && { types }) });
        await follower.until(({ events }) => events.length >= 10_000);
        expect(follower.events.map((event) => event.revision)).toEqual([...Array(10_000).keys()]);
        expect(follower.pages.length).toBeLessThanOrEqual(30);
        await follower.stop();
      }
    });

    it('brings what arrived during the work on one page as the next, once live', async () => {
      const stream = uniqueName('stream');
      const ending = new AbortController();
      const sizes: number[] = [];
      const pages = given.store.subscribeAll({ after: await given.store.head(), signal: ending.signal });
      for await (const { events, live } of pages) {
        if (live && sizes.length === 0)
          for (const event of someEvents(300)) await given.store.append(stream, 'any', [event]);
        sizes.push(events.length);
        if (sizes.reduce((sum, size) => sum + size, 0) >= 300) ending.abort();
      }
      expect(sizes.length).toBeLessThanOrEqual(30);
    });

    it('says that it is live on a log that holds nothing new', async () => {
      const follower = follow(given.store, { after: await given.store.head() });
      await follower.until(({ pages }) => pages.length > 0);
      expect(follower.pages[0]).toMatchObject({ events: [], live: true });
      await follower.stop();
    });

    it('counts every event of racing writers once and in order', async () => {
      const stream = uniqueName('messages');
      const after = await given.store.head();
      const followers = [follow(given.store, { after }), follow(given.open(), { after, pageSize: 3 })];
      const writers = [given.store, given.open(), given.open()];
      await Promise.all(
        writers.map(async (writer) => {
          for (const event of someEvents(40)) await writer.append(stream, 'any', [event]);
        }),
      );
      for (const follower of followers) {
        await follower.until(({ events }) => events.length >= 120);
        expect(follower.events.map((event) => event.revision)).toEqual([...Array(120).keys()]);
        await follower.stop();
      }
    });

    it('delivers only the wanted types, and its position passes the others by', async () => {
      const stream = uniqueName('stream');
      const after = await given.store.head();
      const follower = follow(given.store, { after, types: ['Wanted'] });
      const wanted = someEvents(3, 'Wanted');
      for (const event of wanted) {
        await given.store.append(stream, 'any', [...someEvents(600, 'Other'), event]);
        await follower.until(({ events }) => events.some(({ id }) => id === event.id));
      }
      const last = follower.events.at(-1)!.position;
      // EventStoreDB tells a filtered subscription at intervals only where it stands.
      await given.store.append(stream, 'any', someEvents(1_200, 'Other'));
      await follower.until(({ pages }) => pages.at(-1)!.position > last);
      expect(idsOf(follower.events)).toEqual(idsOf(wanted));
      await follower.stop();
      const resumed = follower.pages.at(-1)!.position;
      expect(await eventsOf(given.store.readAll({ after: resumed, types: ['Wanted'] }))).toEqual([]);
    });

    it('waits for a slow consumer and loses nothing', async () => {
      const stream = uniqueName('stream');
      const ending = new AbortController();
      const after = await given.store.head();
      const events = Array.from({ length: 600 }, () => someEvent('Large', { text: 'x'.repeat(2_000) }));
      const delivered: string[] = [];
      for await (const page of given.store.subscribeAll({ after, pageSize: 16, signal: ending.signal })) {
        // The log grows while the consumer holds its first, empty page.
        if (page.live && delivered.length === 0) {
          for (const event of events) await given.store.append(stream, 'any', [event]);
        }
        delivered.push(...idsOf(page.events));
        if (delivered.length >= events.length) ending.abort();
      }
      expect(delivered).toEqual(idsOf(events));
    });

    it('ends normally when its signal aborts', async () => {
      const aborted = given.store.subscribeAll({ after: null, signal: AbortSignal.abort() });
      expect(await eventsOf(aborted)).toEqual([]);
      const follower = follow(given.store, { after: await given.store.head() });
      await follower.until(({ pages }) => pages.length > 0);
      await follower.stop();
    });
  });

  describe('closing', () => {
    it('finishes the appends that were accepted and refuses the next', async () => {
      const stream = uniqueName('stream');
      const closing = given.open();
      const accepted = Array.from({ length: 20 }, () => closing.append(stream, 'any', someEvents(1)));
      await closing.close();
      expect(await readWholeStream(given.store, stream)).toHaveLength(20);
      await expect(Promise.all(accepted)).resolves.toHaveLength(20);
      const refused = closing.append(stream, 'any', someEvents(1));
      await expect(refused).rejects.toBeInstanceOf(EventStoreUnavailableError);
      await expect(refused).rejects.toMatchObject({ written: false });
      await expect(closing.readStream(stream, { limit: 1 })).rejects.toBeInstanceOf(
        EventStoreUnavailableError,
      );
      await closing.close();
      expect(await readWholeStream(given.store, stream)).toHaveLength(20);
    });

    it('ends subscriptions normally', async () => {
      const closing = given.open();
      const follower = follow(closing, { after: await given.store.head() });
      await follower.until(({ pages }) => pages.length > 0);
      await closing.close();
      await follower.stop();
    });
  });

  describe('a follower on demand', () => {
    it('reads to the current end, and from there again on each request', async () => {
      const types = [uniqueName('type')];
      const stream = uniqueName('stream');
      const events = someEvents(600, types[0]);
      await given.store.append(stream, 'any', events.slice(0, 200));
      const decode = (stored: readonly PersistedEvent[]) =>
        Promise.resolve(stored.map(({ id }) => standIn<RecordedEvent>({ id })));
      const log = new LogOnDemand({ store: given.store, decode });
      const ending = new AbortController();
      const read: RecordedEvent[] = [];
      let reached = 0;
      const following = (async () => {
        for await (const page of log.follow({ after: null, types, signal: ending.signal })) {
          read.push(...page.events);
          if (page.live) reached = page.position;
        }
      })();
      const first = (await given.store.head())!;
      await waitUntil(() => reached >= first);
      await given.store.append(stream, 'any', events.slice(200, 400));
      await given.store.append(stream, 'any', someEvents(1));
      expect(idsOf(read)).toEqual(idsOf(events.slice(0, 200)));
      const second = (await given.store.head())!;
      log.readOn();
      await waitUntil(() => reached >= second);
      expect(idsOf(read)).toEqual(idsOf(events.slice(0, 400)));
      await given.store.append(stream, 'any', events.slice(400));
      const third = (await given.store.head())!;
      log.readOn();
      await waitUntil(() => reached >= third);
      expect(idsOf(read)).toEqual(idsOf(events));
      ending.abort();
      await following;
    });
  });
});
