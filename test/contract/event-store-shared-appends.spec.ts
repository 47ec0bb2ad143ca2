import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { EventStore } from '../../src/stores/event-store/port.js';
import { idsOf, readWholeStream, someEvent, someEvents } from './support/event-store-events.js';
import { startStandIn, type StandInFixture } from './support/event-store-fixtures.js';

describe('appends to one stream of EventStoreDB under "any"', () => {
  let fixture: StandInFixture;
  let store: EventStore;

  beforeEach(async () => {
    fixture = await startStandIn();
    store = fixture.open();
  });

  afterEach(async () => {
    await fixture.close();
  });

  /** Fifty senders, each of which sends again when the message before was acknowledged. */
  const sendAtFifty = async (rounds: number): Promise<readonly string[]> => {
    const sent: string[] = [];
    const send = async (): Promise<void> => {
      for (const event of someEvents(rounds)) {
        await store.append('messages', 'any', [event]);
        sent.push(event.id);
      }
    };
    await Promise.all(Array.from({ length: 50 }, send));
    return sent;
  };

  it('go together while one is under way, and read nothing', async () => {
    await store.append('messages', 'any', someEvents(1));
    const { appends } = fixture.server;
    const reads = fixture.server.readsOf('messages');
    const sent = await sendAtFifty(10);
    expect(fixture.server.appends - appends).toBeLessThanOrEqual(0.2 * sent.length);
    expect(fixture.server.readsOf('messages')).toBe(reads);
    const ids = idsOf(await readWholeStream(store, 'messages'));
    expect(new Set(ids).size).toBe(501);
    expect(ids).toEqual(expect.arrayContaining([...sent]));
  });

  it('read nothing of the messages again, however many other streams are appended to', async () => {
    await store.append('messages', 'any', someEvents(1));
    const reads = fixture.server.readsOf('messages');
    for (let user = 0; user < 40; user += 1) {
      await store.append(`notifications-${user}`, 'any', someEvents(1));
    }
    await store.append('messages', 'any', someEvents(1));
    expect(fixture.server.readsOf('messages')).toBe(reads);
  });

  it('are each found after lost acknowledgements, and written once', async () => {
    const other = fixture.open();
    fixture.server.dropNextAcknowledgements(5);
    const groups = Array.from({ length: 60 }, (_, number) => someEvents(1 + (number % 3)));
    const results = await Promise.all(
      groups.map((events, number) => (number % 4 ? store : other).append('messages', 'any', events)),
    );
    const stored = await readWholeStream(store, 'messages');
    expect(stored).toHaveLength(120);
    for (const [number, events] of groups.entries()) {
      const { revision, position } = results[number]!;
      expect(idsOf(stored.slice(revision + 1 - events.length, revision + 1))).toEqual(idsOf(events));
      expect(position).toBeGreaterThanOrEqual(stored[revision]!.position);
    }
  });

  it('are recognised behind new ones, also by another process', async () => {
    const earlier = someEvents(3).map((event) => [event]);
    const first = [];
    for (const events of earlier) first.push(await fixture.open().append('messages', 'any', events));
    const mixed = earlier.flatMap((events) => [someEvents(1), events]);
    const results = await Promise.all(mixed.map((events) => store.append('messages', 'any', events)));
    expect([1, 3, 5].map((index) => results[index])).toEqual(first);
    expect(await readWholeStream(store, 'messages')).toHaveLength(6);
  });

  it('of which one is refused do not fail with it', async () => {
    const [known, ...others] = someEvents(4);
    await store.append('messages', 'any', [known!]);
    const results = await Promise.allSettled([
      ...others.map((event) => store.append('messages', 'any', [event])),
      store.append('messages', 'any', [known!, someEvent()]),
      store.append('messages', 'any', [someEvent('Large', { text: 'x'.repeat(1_048_577) })]),
    ]);
    expect(results.map(({ status }) => status)).toEqual([
      'fulfilled',
      'fulfilled',
      'fulfilled',
      'rejected',
      'rejected',
    ]);
    expect(await readWholeStream(store, 'messages')).toHaveLength(4);
  });

  it('are bounded in bytes', async () => {
    const events = Array.from({ length: 8 }, () => someEvent('Large', { text: 'x'.repeat(400_000) }));
    await Promise.all(events.map((event) => store.append('messages', 'any', [event])));
    expect(idsOf(await readWholeStream(store, 'messages'))).toEqual(idsOf(events));
    expect(fixture.server.appends).toBe(4);
  });

  it('go alone where the server takes less at once, and the one that is too large even so is refused', async () => {
    const frugal = await startStandIn({ maxAppendBytes: 1_000 });
    const frugalStore = frugal.open();
    const appends = [400, 400, 2_000, 400].map((length) =>
      frugalStore.append('messages', 'any', [someEvent('Sized', { text: 'x'.repeat(length) })]),
    );
    const results = await Promise.allSettled(appends);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
    expect(results[2]).toMatchObject({ reason: { name: 'AppendTooLargeError' } });
    expect(await readWholeStream(frugalStore, 'messages')).toHaveLength(3);
    await frugal.close();
  });

  it('that waited too long for those before them were certainly not written', async () => {
    const impatient = await startStandIn({ deadline: 5_000 });
    const patientStore = impatient.open();
    await patientStore.append('messages', 'any', someEvents(1));
    impatient.server.stall();
    const underWay = patientStore.append('messages', 'any', someEvents(1));
    await expect(
      Promise.race([underWay, new Promise((resolve) => setImmediate(resolve))]),
    ).resolves.toBeUndefined();
    const waiting = patientStore.append('messages', 'any', someEvents(1));
    await expect(underWay).rejects.toMatchObject({ written: 'unknown' });
    await expect(waiting).rejects.toMatchObject({ written: false });
    impatient.server.resume();
    await impatient.close();
  });
});
