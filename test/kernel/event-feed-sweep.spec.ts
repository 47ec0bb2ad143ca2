import { afterEach, expect, it, jest } from '@jest/globals';
import { silentLogger } from '../../projections/engine/logger.js';
import { Directory } from '../../src/access/directory.js';
import type { EventPage } from '../../src/stores/event-store/port.js';
import { EventFeed, type EventFeedOptions } from '../../src/realtime/event-feed.js';
import { EventQueues } from '../../src/realtime/queues/event-queues.js';
import { everyMessage } from '../../src/realtime/queues/narrow-filter.js';
import { requestedOptionsOf } from '../../src/realtime/queues/queue-options-of.js';
import { standIn } from '../support/stand-in.js';

afterEach(() => {
  jest.restoreAllMocks();
});

/** A log that stays empty. */
async function* emptyLog({ signal }: { readonly signal: AbortSignal }): AsyncGenerator<EventPage> {
  yield { events: [], position: 0, live: true };
  await new Promise<void>((ended) => signal.addEventListener('abort', () => ended(), { once: true }));
}

it('queues that nobody asks for end, and those that are asked for stay', async () => {
  const repeated = jest.spyOn(globalThis, 'setInterval');
  const queues = new EventQueues();
  const options = {
    log: {
      store: { readStream: () => Promise.resolve([]), subscribeAll: emptyLog },
      decode: () => Promise.resolve([]),
    },
    follower: { current: () => new Directory() },
    positions: { waitUntil: () => Promise.resolve(true), areAllStopped: () => false },
    mappers: new Map(),
    queues,
    delivery: { flush: () => Promise.resolve() },
    persistence: { start: () => Promise.resolve(), stop: () => Promise.resolve() },
    clock: { now: () => 0 },
    logger: silentLogger,
  };
  const feed = new EventFeed(standIn<EventFeedOptions>(options));
  await feed.start();
  const queueOptions = {
    ...requestedOptionsOf({}, undefined),
    allPublicChannels: false,
    narrow: everyMessage,
  };
  const [forgotten, read] = [queues.open(3, queueOptions), queues.open(4, queueOptions)];
  const later = performance.now() + queueOptions.idleSeconds * 1_000 + 1;
  jest.spyOn(performance, 'now').mockReturnValue(later);
  const asking = read.poll(60_000, feed);
  const [sweep, every] = standIn<[() => void, number]>(repeated.mock.calls[0]);
  expect(every).toBeLessThanOrEqual(60_000);
  sweep();
  expect([...queues.all()].map(({ owner }) => owner.userId)).toEqual([4]);
  expect(() => queues.find(3, forgotten.owner.id)).toThrow();
  jest.restoreAllMocks();
  read.endHeldPoll();
  await asking;
  await feed.stop();
});
