import { beforeAll, describe, expect, it } from '@jest/globals';
import { MAX_PAGE, pagesOfStream, type EventStore } from '../../src/stores/event-store/port.js';
import { eventsOf, idsOf, someEvent, someEvents, uniqueName } from './support/event-store-events.js';
import { describeEventStores } from './support/event-store-suite.js';

describeEventStores('reading an event store', (given) => {
  describe('reading a stream', () => {
    const stream = uniqueName('stream');
    const events = someEvents(10);

    beforeAll(async () => {
      await given.store.append(stream, 'no-stream', events);
    });

    const revisions = async (options: Parameters<EventStore['readStream']>[1]): Promise<number[]> =>
      (await given.store.readStream(stream, options)).map((event) => event.revision);

    it('goes forwards page by page', async () => {
      expect(await revisions({ limit: 4 })).toEqual([0, 1, 2, 3]);
      expect(await revisions({ from: 4, limit: 4 })).toEqual([4, 5, 6, 7]);
      expect(await revisions({ from: 8, limit: 4 })).toEqual([8, 9]);
      expect(await revisions({ from: 10, limit: 4 })).toEqual([]);
      expect(await revisions({ from: 1_000, limit: 4 })).toEqual([]);
    });

    it('goes backwards page by page', async () => {
      expect(await revisions({ direction: 'backwards', limit: 1 })).toEqual([9]);
      expect(await revisions({ direction: 'backwards', from: 9, limit: 4 })).toEqual([9, 8, 7, 6]);
      expect(await revisions({ direction: 'backwards', from: 2, limit: 4 })).toEqual([2, 1, 0]);
      expect(await revisions({ direction: 'backwards', from: 0, limit: 4 })).toEqual([0]);
    });

    it('goes to the end in pages, and ends also where the last event fills a page', async () => {
      const pages = async (options: Parameters<typeof pagesOfStream>[2]): Promise<number[][]> => {
        const found: number[][] = [];
        for await (const page of pagesOfStream(given.store, stream, options))
          found.push(page.map((event) => event.revision));
        return found;
      };
      expect(await pages({ pageSize: 10 })).toEqual([[0, 1, 2, 3, 4, 5, 6, 7, 8, 9], []]);
      expect(await pages({ from: 2, pageSize: 4 })).toEqual([[2, 3, 4, 5], [6, 7, 8, 9], []]);
      expect(await pages({ pageSize: 6 })).toEqual([
        [0, 1, 2, 3, 4, 5],
        [6, 7, 8, 9],
      ]);
      expect(await pages({ from: 10 })).toEqual([[]]);
    });

    it('finds nothing where there is no stream', async () => {
      expect(await given.store.readStream(uniqueName('stream'), { limit: 10 })).toEqual([]);
      expect(
        await given.store.readStream(uniqueName('stream'), { limit: 10, direction: 'backwards' }),
      ).toEqual([]);
    });

    it.each([0, -1, 1.5, MAX_PAGE + 1])('refuses a page of %p events', async (limit) => {
      await expect(given.store.readStream(stream, { limit })).rejects.toBeInstanceOf(RangeError);
    });
  });

  describe('reading the log', () => {
    it('finds an event at its position', async () => {
      const stream = uniqueName('stream');
      await given.store.append(stream, 'no-stream', someEvents(3));
      const events = await eventsOf(given.store.readAll({ after: null }));
      const own = events.filter((event) => event.stream === stream);
      for (const event of own) expect(await given.store.eventAt(event.position)).toEqual(event);
      expect(own).toHaveLength(3);
    });

    it('returns every event in log order for every page size', async () => {
      const after = await given.store.head();
      const streams = [uniqueName('stream'), uniqueName('stream')];
      const appended: string[] = [];
      for (const number of Array(25).keys()) {
        const event = someEvent('Numbered', { number });
        await given.store.append(streams[number % 2]!, 'any', [event]);
        appended.push(event.id);
      }
      for (const pageSize of [1, 7, 25, MAX_PAGE]) {
        const events = await eventsOf(given.store.readAll({ after, pageSize }));
        expect(idsOf(events)).toEqual(appended);
        const positions = events.map((event) => event.position);
        expect(positions).toEqual([...new Set(positions)].sort((a, b) => a - b));
      }
    });

    it('ends with a live page whose position is a place to resume', async () => {
      const stream = uniqueName('stream');
      const after = await given.store.head();
      await given.store.append(stream, 'any', someEvents(5));
      let last: { position: number; live: boolean } = { position: -1, live: false };
      for await (const page of given.store.readAll({ after, pageSize: 2 })) {
        expect(last.live).toBe(false);
        expect(page.events.length).toBeLessThanOrEqual(2);
        last = page;
      }
      expect(last).toMatchObject({ live: true, position: await given.store.head() });
      const later = someEvents(2);
      await given.store.append(stream, 'any', later);
      expect(idsOf(await eventsOf(given.store.readAll({ after: last.position })))).toEqual(idsOf(later));
    });

    it('resumes exactly behind any event', async () => {
      const after = await given.store.head();
      await given.store.append(uniqueName('stream'), 'any', someEvents(6));
      const events = await eventsOf(given.store.readAll({ after }));
      for (const [index, { position }] of events.entries()) {
        expect(idsOf(await eventsOf(given.store.readAll({ after: position })))).toEqual(
          idsOf(events.slice(index + 1)),
        );
      }
    });

    it('gives only the wanted types, taken literally', async () => {
      const after = await given.store.head();
      const types = ['Message.Sent', 'MessageXSent', 'Message', 'Message.Sent.Again', 'message.sent'];
      const events = types.map((type) => someEvent(type));
      await given.store.append(uniqueName('stream'), 'any', events);
      const read = async (...wanted: string[]): Promise<string[]> =>
        (await eventsOf(given.store.readAll({ after, types: wanted }))).map((event) => event.type);
      expect(await read('Message.Sent')).toEqual(['Message.Sent']);
      expect(await read('Message', 'message.sent')).toEqual(['Message', 'message.sent']);
      expect(await read('Mess')).toEqual([]);
      expect(await read()).toEqual([]);
    });

    it('finds rare events among many', async () => {
      const after = await given.store.head();
      const rare = uniqueName('Rare');
      const events = someEvents(2_000).map((event, index) =>
        index % 450 === 7 ? { ...event, type: rare } : event,
      );
      for (let from = 0; from < events.length; from += 500) {
        await given.store.append(uniqueName('stream'), 'any', events.slice(from, from + 500));
      }
      const wanted = events.filter((event) => event.type === rare);
      expect(idsOf(await eventsOf(given.store.readAll({ after, types: [rare], pageSize: 3 })))).toEqual(
        idsOf(wanted),
      );
    });

    it('knows the position of the last event', async () => {
      const { position } = await given.store.append(uniqueName('stream'), 'any', someEvents(3));
      expect(await given.store.head()).toBe(position);
    });

    it('finds an empty log empty, and can be resumed from there', async () => {
      const fresh = await given.start();
      try {
        if (!fresh.startsEmpty) return;
        const empty = fresh.open();
        expect(await empty.head()).toBeNull();
        const pages = [];
        for await (const page of empty.readAll({ after: null })) pages.push(page);
        expect(pages).toEqual([{ events: [], position: expect.any(Number), live: true }]);
        const events = someEvents(1);
        await empty.append('stream', 'no-stream', events);
        expect(idsOf(await eventsOf(empty.readAll({ after: pages[0]!.position })))).toEqual(idsOf(events));
        expect(idsOf(await eventsOf(empty.readAll({ after: null })))).toEqual(idsOf(events));
      } finally {
        await fresh.close();
      }
    });
  });
});
