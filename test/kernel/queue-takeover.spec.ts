import { beforeEach, describe, expect, it } from '@jest/globals';
import { silentLogger } from '../../projections/engine/logger.js';
import { Directory } from '../../src/access/directory.js';
import { failure } from '../../src/kernel/errors.js';
import { writeOptions } from '../../src/realtime/recovery/stored-options.js';
import { QueueTakeover, type QueueTakeoverOptions } from '../../src/realtime/recovery/queue-takeover.js';
import { EventQueues } from '../../src/realtime/queues/event-queues.js';
import { everyMessage } from '../../src/realtime/queues/narrow-filter.js';
import { requestedOptionsOf } from '../../src/realtime/queues/queue-options-of.js';
import type { StoredQueue } from '../../src/stores/queue-store/port.js';
import { standIn } from '../support/stand-in.js';

const options = { ...requestedOptionsOf({}, undefined), allPublicChannels: false, narrow: everyMessage };

let kept: StoredQueue | null;
let queues: EventQueues;
/** The error that the feed throws when the initial state is read; null: none. */
let fault: Error | null;
let takeover: QueueTakeover;

beforeEach(() => {
  kept = {
    id: 'gone:1',
    userId: 3,
    holder: 'gone',
    options: writeOptions(options),
    base: 0,
    settled: 0,
    acknowledged: -1,
    first: null,
    until: 1_000,
  };
  queues = new EventQueues();
  fault = null;
  const position = 0;
  const store = {
    take: async (_id: string, { to }: { readonly to: string }) => {
      kept &&= { ...kept, holder: to };
      return kept !== null;
    },
    holderUntil: async () => null,
  };
  const feed = {
    whilePaused: async (work: (snapshot: object) => unknown) => {
      if (fault !== null) throw fault;
      return work({ position });
    },
    dispatcherOf: () => ({ position, isWatched: true }),
  };
  const persistence = {
    find: async () => kept,
    forget: async () => {
      kept = null;
    },
  };
  takeover = new QueueTakeover(
    standIn<QueueTakeoverOptions>({
      store,
      feed,
      persistence,
      queues,
      mappers: new Map(),
      past: { at: async () => new Directory() },
      log: { store: { head: async () => position } },
      clock: { now: () => 0 },
      logger: silentLogger,
      processName: 'here',
    }),
  );
});

const ask = (): Promise<unknown> => takeover.find({ userId: 3, id: 'gone:1', lastEventId: -1 });

describe('the event queue of a process that has ended', () => {
  it('is taken over by the process that its client polls', async () => {
    await ask();
    expect(kept?.holder).toBe('here');
    expect(queues.get('gone:1')).not.toBeNull();
  });

  it.each(['unavailable', 'queryTimeout'] as const)(
    'is still stored if it cannot be restored for now (%s), so that the client can retry',
    async (row) => {
      fault = failure(row);
      await expect(ask()).rejects.toMatchObject({ row });
      expect(kept).not.toBeNull();
      fault = null;
      await ask();
      expect(queues.get('gone:1')).not.toBeNull();
    },
  );

  it('is dropped if it can never be restored, so that the client registers again', async () => {
    fault = new TypeError('Something is wrong with this program');
    await expect(ask()).rejects.toMatchObject({ row: 'badEventQueueId' });
    expect(kept).toBeNull();
  });
});
