import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  AppendTooLargeError,
  EventStoreUnavailableError,
  InvalidAppendError,
  MAX_APPEND_BYTES,
  MAX_PAGE,
  WrongExpectedRevisionError,
} from '../../src/event-store/port.js';
import type { EventStore, StoredEvent } from '../../src/event-store/port.js';
import {
  eventsOf,
  follow,
  idsOf,
  readWholeStream,
  someEvent,
  someEvents,
  uniqueName,
} from './support/event-store-events.js';
import { adapters } from './support/event-store-fixtures.js';
import type { EventStoreFixture } from './support/event-store-fixtures.js';

describe.each(adapters)('event store: $name', ({ start }) => {
  let fixture: EventStoreFixture;
  let store: EventStore;

  beforeAll(async () => {
    fixture = await start();
    store = fixture.open();
  });

  afterAll(async () => {
    await fixture.close();
  });

  describe('an append', () => {
    it('gives events their revisions from 0, dense, and rising positions', async () => {
      const stream = uniqueName('stream');
      const first = await store.append(stream, 'no-stream', someEvents(2));
      const second = await store.append(stream, 1, someEvents(1));
      expect([first.revision, second.revision]).toEqual([1, 2]);
      const events = await readWholeStream(store, stream);
      expect(events.map((event) => event.revision)).toEqual([0, 1, 2]);
      expect([events[1]!.position, events[2]!.position]).toEqual([first.position, second.position]);
      expect(events[0]!.position).toBeLessThan(first.position);
      expect(first.position).toBeLessThan(second.position);
    });

    it('keeps an event as it was given', async () => {
      const stream = uniqueName('stream');
      const data = {
        text: 'Ünïcode 👍 \u0000 "quoted"',
        list: [1, -2.5, null, true, { deep: [] }],
        empty: {},
      };
      const event: StoredEvent = { ...someEvent('Kept', data), metadata: { actorId: 7, nested: { a: [1] } } };
      const { position } = await store.append(stream, 'no-stream', [event]);
      expect(await readWholeStream(store, stream)).toEqual([{ ...event, stream, revision: 0, position }]);
    });

    it.each(['no-stream', 3] as const)('under %s is won by one of many racing writers', async (expected) => {
      const stream = uniqueName('stream');
      if (expected !== 'no-stream') await store.append(stream, 'no-stream', someEvents(expected + 1));
      const writers = [store, fixture.open(), fixture.open()];
      const results = await Promise.allSettled(
        Array.from({ length: 12 }, (_, writer) =>
          writers[writer % 3]!.append(stream, expected, someEvents(1)),
        ),
      );
      const lost = results.flatMap((result) =>
        result.status === 'rejected' ? [result.reason as unknown] : [],
      );
      expect(lost).toHaveLength(11);
      for (const error of lost) expect(error).toBeInstanceOf(WrongExpectedRevisionError);
      expect(await readWholeStream(store, stream)).toHaveLength(expected === 'no-stream' ? 1 : expected + 2);
    });

    it('that expects another revision is refused with the one that the stream is at', async () => {
      const stream = uniqueName('stream');
      await expect(store.append(stream, 0, someEvents(1))).rejects.toMatchObject({
        stream,
        expected: 0,
        actual: null,
      });
      await store.append(stream, 'no-stream', someEvents(3));
      for (const expected of ['no-stream', 1, 3] as const) {
        const refused = store.append(stream, expected, someEvents(1));
        await expect(refused).rejects.toBeInstanceOf(WrongExpectedRevisionError);
        await expect(refused).rejects.toMatchObject({ stream, expected, actual: 2 });
      }
      expect(await readWholeStream(store, stream)).toHaveLength(3);
    });

    it('refused among others that arrive with it leaves those alone', async () => {
      const [one, other] = [uniqueName('stream'), uniqueName('stream')];
      const results = await Promise.allSettled([
        store.append(one, 'no-stream', someEvents(1)),
        store.append(one, 5, someEvents(2)),
        store.append(other, 'no-stream', someEvents(1)),
      ]);
      expect(results.map((result) => result.status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
      expect(await readWholeStream(store, one)).toHaveLength(1);
      expect(await readWholeStream(store, other)).toHaveLength(1);
    });

    it('under "any" never conflicts: revisions are dense and rise in log order under two writers', async () => {
      const stream = uniqueName('messages');
      const after = await store.head();
      const writers = [store, fixture.open()];
      const acknowledged = await Promise.all(
        Array.from({ length: 100 }, async (_, number) => {
          const event = someEvent('Sent', { number });
          const { revision, position } = await writers[number % 2]!.append(stream, 'any', [event]);
          return { id: event.id, revision, position };
        }),
      );
      acknowledged.sort((a, b) => a.revision - b.revision);
      const inLogOrder = (await eventsOf(store.readAll({ after }))).filter(
        (event) => event.stream === stream,
      );
      expect(inLogOrder.map(({ id, revision, position }) => ({ id, revision, position }))).toEqual(
        acknowledged,
      );
      expect(acknowledged.map(({ revision }) => revision)).toEqual(
        Array.from({ length: 100 }, (_, index) => index),
      );
    });

    it('of several events stands together, all or none', async () => {
      const stream = uniqueName('messages');
      const batches = Array.from({ length: 10 }, () => someEvents(5));
      await Promise.all(batches.map((batch) => store.append(stream, 'any', batch)));
      const ids = idsOf(await readWholeStream(store, stream));
      expect(ids).toHaveLength(50);
      for (const batch of batches) {
        const at = ids.indexOf(batch[0]!.id);
        expect(ids.slice(at, at + 5)).toEqual(idsOf(batch));
      }
    });
  });

  describe('an append that is tried again', () => {
    it.each(['no-stream', 'any', 1] as const)(
      'under %s answers as before and writes nothing',
      async (expected) => {
        const stream = uniqueName('stream');
        if (expected === 1) await store.append(stream, 'no-stream', someEvents(2));
        const events = someEvents(3);
        const first = await store.append(stream, expected, events);
        const { length } = await readWholeStream(store, stream);
        expect(await store.append(stream, expected, events)).toEqual(first);
        await store.append(stream, first.revision, someEvents(1));
        expect(await store.append(stream, expected, events)).toEqual(first);
        expect(await readWholeStream(store, stream)).toHaveLength(length + 1);
      },
    );

    it('while the first attempt is under way is written once', async () => {
      const stream = uniqueName('messages');
      const events = someEvents(2);
      const attempts = Array.from({ length: 4 }, () => store.append(stream, 'any', events));
      const results = await Promise.all(attempts);
      expect(new Set(results.map((result) => result.position)).size).toBe(1);
      expect(idsOf(await readWholeStream(store, stream))).toEqual(idsOf(events));
    });

    it.each(['no-stream', 'any'] as const)(
      'under %s with some events exchanged is refused',
      async (expected) => {
        const stream = uniqueName('stream');
        const [first, second] = someEvents(2) as [StoredEvent, StoredEvent];
        await store.append(stream, expected, [first, second]);
        const mixed = store.append(stream, expected, [first, someEvent()]);
        await expect(mixed).rejects.toMatchObject({ name: 'WrongExpectedRevisionError', actual: 1 });
        expect(await readWholeStream(store, stream)).toHaveLength(2);
      },
    );
  });

  describe('what is refused before anything is sent or written', () => {
    const ok = someEvent();
    const cyclic: Record<string, unknown> = {};
    cyclic['self'] = cyclic;

    it.each<[string, object]>([
      ['an id that is no UUID', { id: 'not-a-uuid' }],
      ['an upper-case id', { id: ok.id.toUpperCase().replace(/^./, 'A') }],
      ['an empty type', { type: '' }],
      ['a type of the system', { type: '$metadata' }],
      ['absent data', { data: undefined }],
      ['data that is no object', { data: [1] }],
      ['a BigInt', { data: { amount: 1n } }],
      ['an undefined member', { data: { name: undefined } }],
      ['a number that JSON does not know', { data: { ratio: Number.NaN } }],
      ['a date', { data: { at: new Date() } }],
      ['a function', { data: { run: () => undefined } }],
      ['a hole in a list', { data: { list: new Array(2) } }],
      ['a cycle', { data: cyclic }],
      ['metadata that is not JSON', { metadata: { amount: 1n } }],
      ['absent metadata', { metadata: undefined }],
    ])('%s', async (_, fault) => {
      const stream = uniqueName('stream');
      const refused = store.append(stream, 'no-stream', [ok, { ...someEvent(), ...fault }]);
      await expect(refused).rejects.toBeInstanceOf(InvalidAppendError);
      expect(await store.append(stream, 'no-stream', someEvents(1))).toMatchObject({ revision: 0 });
    });

    it('no events, the same event twice, and a stream or revision that cannot be', async () => {
      const stream = uniqueName('stream');
      const attempts = [
        store.append(stream, 'no-stream', []),
        store.append(stream, 'no-stream', [ok, ok]),
        store.append('', 'no-stream', [ok]),
        store.append('$system', 'no-stream', [ok]),
        store.append(stream, -1, [ok]),
        store.append(stream, 0.5, [ok]),
      ];
      for (const refused of await Promise.allSettled(attempts)) {
        expect(refused).toMatchObject({ status: 'rejected', reason: { name: 'InvalidAppendError' } });
      }
      expect(await store.readStream(stream, { limit: 1 })).toEqual([]);
    });

    it('more than a mebibyte of data, while exactly that passes and metadata does not count', async () => {
      const stream = uniqueName('stream');
      const sized = (bytes: number): StoredEvent[] => {
        const half = someEvent('Big', { text: 'x'.repeat(bytes / 2 - 11) });
        return [half, { ...half, id: someEvent().id, metadata: { note: 'y'.repeat(1_000) } }];
      };
      const tooLarge = store.append(stream, 'no-stream', sized(MAX_APPEND_BYTES + 2));
      await expect(tooLarge).rejects.toBeInstanceOf(AppendTooLargeError);
      await expect(tooLarge).rejects.toMatchObject({ bytes: MAX_APPEND_BYTES + 2 });
      expect(await store.append(stream, 'no-stream', sized(MAX_APPEND_BYTES))).toMatchObject({ revision: 1 });
    });
  });

  describe('reading a stream', () => {
    const stream = uniqueName('stream');
    const events = someEvents(10);

    beforeAll(async () => {
      await store.append(stream, 'no-stream', events);
    });

    const revisions = async (options: Parameters<EventStore['readStream']>[1]): Promise<number[]> =>
      (await store.readStream(stream, options)).map((event) => event.revision);

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

    it('finds nothing where there is no stream', async () => {
      expect(await store.readStream(uniqueName('stream'), { limit: 10 })).toEqual([]);
      expect(await store.readStream(uniqueName('stream'), { limit: 10, direction: 'backwards' })).toEqual([]);
    });

    it.each([0, -1, 1.5, MAX_PAGE + 1])('refuses a page of %p events', async (limit) => {
      await expect(store.readStream(stream, { limit })).rejects.toBeInstanceOf(RangeError);
    });
  });

  describe('reading the log', () => {
    it('gives every event in log order, whatever the page size', async () => {
      const after = await store.head();
      const streams = [uniqueName('stream'), uniqueName('stream')];
      const appended: string[] = [];
      for (const number of Array(25).keys()) {
        const event = someEvent('Numbered', { number });
        await store.append(streams[number % 2]!, 'any', [event]);
        appended.push(event.id);
      }
      for (const pageSize of [1, 7, 25, MAX_PAGE]) {
        const events = await eventsOf(store.readAll({ after, pageSize }));
        expect(idsOf(events)).toEqual(appended);
        const positions = events.map((event) => event.position);
        expect(positions).toEqual([...new Set(positions)].sort((a, b) => a - b));
      }
    });

    it('ends with a live page whose position is a place to resume', async () => {
      const stream = uniqueName('stream');
      const after = await store.head();
      await store.append(stream, 'any', someEvents(5));
      let last: { position: number; live: boolean } = { position: -1, live: false };
      for await (const page of store.readAll({ after, pageSize: 2 })) {
        expect(last.live).toBe(false);
        expect(page.events.length).toBeLessThanOrEqual(2);
        last = page;
      }
      expect(last).toMatchObject({ live: true, position: await store.head() });
      const later = someEvents(2);
      await store.append(stream, 'any', later);
      expect(idsOf(await eventsOf(store.readAll({ after: last.position })))).toEqual(idsOf(later));
    });

    it('resumes exactly behind any event', async () => {
      const after = await store.head();
      await store.append(uniqueName('stream'), 'any', someEvents(6));
      const events = await eventsOf(store.readAll({ after }));
      for (const [index, { position }] of events.entries()) {
        expect(idsOf(await eventsOf(store.readAll({ after: position })))).toEqual(
          idsOf(events.slice(index + 1)),
        );
      }
    });

    it('gives only the wanted types, taken literally', async () => {
      const after = await store.head();
      const types = ['Message.Sent', 'MessageXSent', 'Message', 'Message.Sent.Again', 'message.sent'];
      const events = types.map((type) => someEvent(type));
      await store.append(uniqueName('stream'), 'any', events);
      const read = async (...wanted: string[]): Promise<string[]> =>
        (await eventsOf(store.readAll({ after, types: wanted }))).map((event) => event.type);
      expect(await read('Message.Sent')).toEqual(['Message.Sent']);
      expect(await read('Message', 'message.sent')).toEqual(['Message', 'message.sent']);
      expect(await read('Mess')).toEqual([]);
      expect(await read()).toEqual([]);
    });

    it('finds rare events among many', async () => {
      const after = await store.head();
      const rare = uniqueName('Rare');
      const events = someEvents(2_000).map((event, index) =>
        index % 450 === 7 ? { ...event, type: rare } : event,
      );
      for (let from = 0; from < events.length; from += 500) {
        await store.append(uniqueName('stream'), 'any', events.slice(from, from + 500));
      }
      const wanted = events.filter((event) => event.type === rare);
      expect(idsOf(await eventsOf(store.readAll({ after, types: [rare], pageSize: 3 })))).toEqual(
        idsOf(wanted),
      );
    });

    it('knows the position of the last event', async () => {
      const { position } = await store.append(uniqueName('stream'), 'any', someEvents(3));
      expect(await store.head()).toBe(position);
    });

    it('finds an empty log empty, and can be resumed from there', async () => {
      const fresh = await start();
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

  describe('a subscription', () => {
    it('catches up, says that it is live, and goes on', async () => {
      const stream = uniqueName('stream');
      const after = await store.head();
      const events = someEvents(30);
      await store.append(stream, 'any', events.slice(0, 10));
      const follower = follow(store, { after, pageSize: 4 });
      await follower.until(({ pages }) => pages.at(-1)?.live === true);
      expect(follower.events).toHaveLength(10);
      expect(follower.pages[0]!.live).toBe(false);
      for (const event of events.slice(10)) await store.append(stream, 'any', [event]);
      await follower.until((delivered) => delivered.events.length >= 30);
      await follower.until(({ pages }) => pages.at(-1)?.live === true);
      expect(idsOf(follower.events)).toEqual(idsOf(events));
      await follower.stop();
    });

    it('says that it is live on a log that holds nothing new', async () => {
      const follower = follow(store, { after: await store.head() });
      await follower.until(({ pages }) => pages.length > 0);
      expect(follower.pages[0]).toMatchObject({ events: [], live: true });
      await follower.stop();
    });

    it('counts every event of racing writers once and in order', async () => {
      const stream = uniqueName('messages');
      const after = await store.head();
      const followers = [follow(store, { after }), follow(fixture.open(), { after, pageSize: 3 })];
      const writers = [store, fixture.open(), fixture.open()];
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
      const after = await store.head();
      const follower = follow(store, { after, types: ['Wanted'] });
      const wanted = someEvents(3, 'Wanted');
      for (const event of wanted) {
        await store.append(stream, 'any', [...someEvents(600, 'Other'), event]);
        await follower.until(({ events }) => events.some(({ id }) => id === event.id));
      }
      const last = follower.events.at(-1)!.position;
      // EventStoreDB tells a filtered subscription at intervals only where it stands.
      await store.append(stream, 'any', someEvents(1_200, 'Other'));
      await follower.until(({ pages }) => pages.at(-1)!.position > last);
      expect(idsOf(follower.events)).toEqual(idsOf(wanted));
      await follower.stop();
      const resumed = follower.pages.at(-1)!.position;
      expect(await eventsOf(store.readAll({ after: resumed, types: ['Wanted'] }))).toEqual([]);
    });

    it('waits for a slow consumer and loses nothing', async () => {
      const stream = uniqueName('stream');
      const ending = new AbortController();
      const after = await store.head();
      const events = Array.from({ length: 600 }, () => someEvent('Large', { text: 'x'.repeat(2_000) }));
      const delivered: string[] = [];
      for await (const page of store.subscribeAll({ after, pageSize: 16, signal: ending.signal })) {
        // The log grows while the consumer holds its first, empty page.
        if (page.live && delivered.length === 0) {
          for (const event of events) await store.append(stream, 'any', [event]);
        }
        delivered.push(...idsOf(page.events));
        if (delivered.length >= events.length) ending.abort();
      }
      expect(delivered).toEqual(idsOf(events));
    });

    it('ends normally when its signal aborts', async () => {
      const aborted = store.subscribeAll({ after: null, signal: AbortSignal.abort() });
      expect(await eventsOf(aborted)).toEqual([]);
      const follower = follow(store, { after: await store.head() });
      await follower.until(({ pages }) => pages.length > 0);
      await follower.stop();
    });
  });

  describe('closing', () => {
    it('finishes the appends that were accepted and refuses the next', async () => {
      const stream = uniqueName('stream');
      const closing = fixture.open();
      const accepted = Array.from({ length: 20 }, () => closing.append(stream, 'any', someEvents(1)));
      await closing.close();
      expect(await readWholeStream(store, stream)).toHaveLength(20);
      await expect(Promise.all(accepted)).resolves.toHaveLength(20);
      const refused = closing.append(stream, 'any', someEvents(1));
      await expect(refused).rejects.toBeInstanceOf(EventStoreUnavailableError);
      await expect(refused).rejects.toMatchObject({ written: false });
      await expect(closing.readStream(stream, { limit: 1 })).rejects.toBeInstanceOf(
        EventStoreUnavailableError,
      );
      await closing.close();
      expect(await readWholeStream(store, stream)).toHaveLength(20);
    });

    it('ends subscriptions normally', async () => {
      const closing = fixture.open();
      const follower = follow(closing, { after: await store.head() });
      await follower.until(({ pages }) => pages.length > 0);
      await closing.close();
      await follower.stop();
    });
  });
});
