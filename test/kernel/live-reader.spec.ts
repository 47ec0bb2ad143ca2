import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { LiveReader } from '../../src/stores/event-store/following/live-reader.js';
import type { EventPage, PersistedEvent } from '../../src/stores/event-store/port.js';

const DELAY = 100;

let reader: LiveReader;
let deliver: (types: readonly string[]) => Promise<void>;

beforeEach(async () => {
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'queueMicrotask', 'nextTick'] });
  const pages: EventPage[] = [];
  let [position, arrived] = [0, () => {}];
  async function* subscribeAll(): AsyncGenerator<EventPage> {
    for (;;) {
      while (pages.length > 0) yield pages.shift()!;
      await new Promise<void>((resolve) => (arrived = resolve));
    }
  }
  deliver = async (types) => {
    const events = types.map((type): PersistedEvent => {
      position += 1;
      return {
        id: String(position),
        type,
        data: {},
        metadata: {},
        stream: 's',
        revision: position,
        position,
      };
    });
    pages.push({ events, position, live: true });
    arrived();
    await turn();
  };
  reader = new LiveReader({ store: { subscribeAll }, startOfLive: () => Promise.resolve(0) });
  reader.enter();
  await reader.open();
  await turn();
});

afterEach(() => {
  reader.leave();
  jest.useRealTimers();
});

/** Waits like a follower of one type; the returned function tells whether it was woken. */
function waiting(type: string | null, signal = new AbortController().signal): () => boolean {
  let isWoken = false;
  const awaited = type === null ? undefined : { types: new Set([type]), delay: DELAY };
  void reader.next(signal, awaited).then(() => (isWoken = true));
  return () => isWoken;
}

describe('a follower that may learn its position late', () => {
  it('is woken at once by an event of its types, like one that waits for anything', async () => {
    const [rare, any] = [waiting('Rare'), waiting(null)];
    await deliver(['Frequent', 'Rare']);
    expect([rare(), any()]).toEqual([true, true]);
  });

  it('is woken after its delay by other events, however many pages came meanwhile', async () => {
    const [rare, any] = [waiting('Rare'), waiting(null)];
    await deliver(['Frequent']);
    expect([rare(), any()]).toEqual([false, true]);
    jest.advanceTimersByTime(DELAY - 1);
    await deliver(['Frequent']);
    expect(rare()).toBe(false);
    jest.advanceTimersByTime(1);
    await turn();
    expect(rare()).toBe(true);
  });

  it('is woken before its delay where many events came: their number in memory is limited', async () => {
    const rare = waiting('Rare');
    await deliver(Array.from({ length: 512 }, () => 'Frequent'));
    expect(rare()).toBe(false);
    await deliver(['Frequent']);
    expect(rare()).toBe(true);
  });

  it('is woken when it is to end', async () => {
    const ending = new AbortController();
    const rare = waiting('Rare', ending.signal);
    const other = waiting('Rare');
    ending.abort();
    await turn();
    expect([rare(), other()]).toEqual([true, false]);
    await deliver(['Rare']);
    expect(other()).toBe(true);
  });
});
