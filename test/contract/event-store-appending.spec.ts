import { describe, expect, it } from '@jest/globals';
import { WrongExpectedRevisionError, type StoredEvent } from '../../src/stores/event-store/port.js';
import {
  eventsOf,
  idsOf,
  readWholeStream,
  someEvent,
  someEvents,
  uniqueName,
} from './support/event-store-events.js';
import { describeEventStores } from './support/event-store-suite.js';

describeEventStores('appending to an event store', (given) => {
  describe('an append', () => {
    it('gives events their revisions from 0, dense, and rising positions', async () => {
      const stream = uniqueName('stream');
      const first = await given.store.append(stream, 'no-stream', someEvents(2));
      const second = await given.store.append(stream, 1, someEvents(1));
      expect([first.revision, second.revision]).toEqual([1, 2]);
      const events = await readWholeStream(given.store, stream);
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
      const { position } = await given.store.append(stream, 'no-stream', [event]);
      expect(await readWholeStream(given.store, stream)).toEqual([
        { ...event, stream, revision: 0, position },
      ]);
    });

    it.each(['no-stream', 3] as const)('under %s is won by one of many racing writers', async (expected) => {
      const stream = uniqueName('stream');
      if (expected !== 'no-stream') await given.store.append(stream, 'no-stream', someEvents(expected + 1));
      const writers = [given.store, given.open(), given.open()];
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
      expect(await readWholeStream(given.store, stream)).toHaveLength(
        expected === 'no-stream' ? 1 : expected + 2,
      );
    });

    it('that expects another revision is refused with the one that the stream is at', async () => {
      const stream = uniqueName('stream');
      await expect(given.store.append(stream, 0, someEvents(1))).rejects.toMatchObject({
        stream,
        expected: 0,
        actual: null,
      });
      await given.store.append(stream, 'no-stream', someEvents(3));
      for (const expected of ['no-stream', 1, 3] as const) {
        const refused = given.store.append(stream, expected, someEvents(1));
        await expect(refused).rejects.toBeInstanceOf(WrongExpectedRevisionError);
        await expect(refused).rejects.toMatchObject({ stream, expected, actual: 2 });
      }
      expect(await readWholeStream(given.store, stream)).toHaveLength(3);
    });

    it('refused among others that arrive with it leaves those alone', async () => {
      const [one, other] = [uniqueName('stream'), uniqueName('stream')];
      const results = await Promise.allSettled([
        given.store.append(one, 'no-stream', someEvents(1)),
        given.store.append(one, 5, someEvents(2)),
        given.store.append(other, 'no-stream', someEvents(1)),
      ]);
      expect(results.map((result) => result.status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
      expect(await readWholeStream(given.store, one)).toHaveLength(1);
      expect(await readWholeStream(given.store, other)).toHaveLength(1);
    });

    it('under "any" never conflicts: revisions are dense and rise in log order under two writers', async () => {
      const stream = uniqueName('messages');
      const after = await given.store.head();
      const writers = [given.store, given.open()];
      const acknowledged = await Promise.all(
        Array.from({ length: 100 }, async (_, number) => {
          const event = someEvent('Sent', { number });
          const { revision, position } = await writers[number % 2]!.append(stream, 'any', [event]);
          return { id: event.id, revision, position };
        }),
      );
      acknowledged.sort((a, b) => a.revision - b.revision);
      const inLogOrder = (await eventsOf(given.store.readAll({ after }))).filter(
        (event) => event.stream === stream,
      );
      expect(inLogOrder.map(({ id, revision }) => ({ id, revision }))).toEqual(
        acknowledged.map(({ id, revision }) => ({ id, revision })),
      );
      // Appends that went together are told the position of the last of them, which is no later than the next one's.
      for (const [index, { position }] of acknowledged.entries()) {
        expect(position).toBeGreaterThanOrEqual(inLogOrder[index]!.position);
        expect(inLogOrder.map((event) => event.position)).toContain(position);
      }
      expect(acknowledged.map(({ revision }) => revision)).toEqual(
        Array.from({ length: 100 }, (_, index) => index),
      );
    });

    it('of several events stands together, all or none', async () => {
      const stream = uniqueName('messages');
      const batches = Array.from({ length: 10 }, () => someEvents(5));
      await Promise.all(batches.map((batch) => given.store.append(stream, 'any', batch)));
      const ids = idsOf(await readWholeStream(given.store, stream));
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
        if (expected === 1) await given.store.append(stream, 'no-stream', someEvents(2));
        const events = someEvents(3);
        const first = await given.store.append(stream, expected, events);
        const { length } = await readWholeStream(given.store, stream);
        expect(await given.store.append(stream, expected, events)).toEqual(first);
        await given.store.append(stream, first.revision, someEvents(1));
        expect(await given.store.append(stream, expected, events)).toEqual(first);
        expect(await readWholeStream(given.store, stream)).toHaveLength(length + 1);
      },
    );

    it('while the first attempt is under way is written once', async () => {
      const stream = uniqueName('messages');
      const events = someEvents(2);
      const attempts = Array.from({ length: 4 }, () => given.store.append(stream, 'any', events));
      const results = await Promise.all(attempts);
      expect(new Set(results.map((result) => result.position)).size).toBe(1);
      expect(idsOf(await readWholeStream(given.store, stream))).toEqual(idsOf(events));
    });

    it.each(['no-stream', 'any'] as const)(
      'under %s with some events exchanged is refused',
      async (expected) => {
        const stream = uniqueName('stream');
        const [first, second] = someEvents(2) as [StoredEvent, StoredEvent];
        await given.store.append(stream, expected, [first, second]);
        const mixed = given.store.append(stream, expected, [first, someEvent()]);
        await expect(mixed).rejects.toMatchObject({ name: 'WrongExpectedRevisionError', actual: 1 });
        expect(await readWholeStream(given.store, stream)).toHaveLength(2);
      },
    );
  });
});
