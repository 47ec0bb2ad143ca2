import { describe, expect, it } from '@jest/globals';
import { silentLogger } from '../../projections/engine/logger.js';
import { Directory } from '../../src/access/directory.js';
import { budgets } from '../../src/kernel/budgets.js';
import {
  PastDirectories,
  type PastDirectoriesOptions,
} from '../../src/realtime/recovery/past-directories.js';
import { readOptions, writeOptions } from '../../src/realtime/recovery/stored-options.js';
import {
  RestoredQueues,
  type OrphanedQueue,
  type RestoringOptions,
} from '../../src/realtime/recovery/restored-queues.js';
import { PageDispatcher, type PageDispatcherOptions } from '../../src/realtime/page-dispatcher.js';
import { atRegistration } from '../../src/realtime/queues/event-ids.js';
import { EventQueues } from '../../src/realtime/queues/event-queues.js';
import { narrowFilter } from '../../src/realtime/queues/narrow-filter.js';
import { requestedOptionsOf } from '../../src/realtime/queues/queue-options-of.js';
import type { EventPage, ReadAllOptions } from '../../src/stores/event-store/port.js';
import { standIn } from '../support/stand-in.js';

const PAGE = 500;

const options = {
  ...requestedOptionsOf(
    { event_types: ['message'], client_capabilities: { archived_channels: true } },
    'Zulip',
  ),
  allPublicChannels: true,
  narrow: narrowFilter([['topic', 'looms']]),
};

/** A log with a number of events for which there are no client events. */
function logOf(count: number): RestoringOptions['log'] {
  async function* readAll({ after }: ReadAllOptions): AsyncGenerator<EventPage> {
    for (let from = (after ?? -1) + 1; from < count; from += PAGE) {
      const length = Math.min(PAGE, count - from);
      const events = Array.from({ length }, (_, index) => ({ position: from + index, type: 'Any' }));
      yield standIn<EventPage>({ events, position: from + length - 1, live: from + length >= count });
    }
  }
  return standIn<RestoringOptions['log']>({ store: { readAll }, decode: () => Promise.resolve([]) });
}

function restored(count: number, queues = new EventQueues()): RestoredQueues {
  const log = logOf(count);
  const feed = {
    whilePaused: <Result>(work: (snapshot: object) => Result): Result => work({ position: count - 1 }),
    dispatcherOf: (told: object, { directory, position }: { directory: Directory; position: number }) => {
      const follower = { current: () => ({ position: count - 1 }) };
      const parts = { log, follower, mappers: new Map(), logger: silentLogger, timeOf: () => 0 };
      const dispatcherOptions = { ...parts, ...told };
      return new PageDispatcher(standIn<PageDispatcherOptions>(dispatcherOptions), directory, position);
    },
  };
  const past = { at: () => Promise.resolve(new Directory()) };
  return new RestoredQueues(standIn<RestoringOptions>({ log, feed, mappers: new Map(), past, queues }));
}

function lost(id: string, settled: number): OrphanedQueue {
  return { owner: { id, userId: 3 }, options, progress: atRegistration(settled), settled };
}

describe('restored queues', () => {
  it('join the live queues, unless more than the maximum number of events would have to be mapped again', async () => {
    const max = budgets.eventsMappedAgain.max;
    const queues = new EventQueues();
    const queuesLost = [lost('late', max + 999), lost('early', 0), lost('most', 999)];
    const made = await restored(max + 1_000, queues).restore(queuesLost);
    expect([...made.keys()].sort()).toEqual(['late', 'most']);
    expect([...queues.of(3)].map(({ owner }) => owner.id).sort()).toEqual(['late', 'most']);
  });

  it('are only those whose past directory can be rebuilt within the budget', async () => {
    const count = budgets.directoryEventsFolded.max;
    const directories = (events: number): PastDirectories => {
      const log = {
        ...logOf(events),
        decode: (page: readonly unknown[]) => Promise.resolve(page.map(() => ({ type: 'Any' }))),
      };
      const later = new Directory(null, count + 5);
      const past = { log, follower: { current: () => later }, earliest: () => Promise.resolve(null) };
      return new PastDirectories(standIn<PastDirectoriesOptions>(past));
    };
    expect(await directories(count + 3).at(count - 1)).not.toBeNull();
    expect(await directories(count + 3).at(count)).toBeNull();
  });
});

describe('the stored options of a queue', () => {
  it('are read as they were written', () => {
    const read = readOptions(writeOptions(options))!;
    expect({ ...read, narrow: read.narrow.terms }).toEqual({ ...options, narrow: [['topic', 'looms']] });
    const facts = { channelName: 'a', isResolved: false, senderEmails: () => [], flags: [] };
    expect(read.narrow({ ...facts, topic: 'Looms' })).toBe(true);
    expect(read.narrow({ ...facts, topic: 'engines' })).toBe(false);
  });

  it('are not read if another version wrote them', () => {
    expect(readOptions(writeOptions(options).replace('"version":1', '"version":2'))).toBeNull();
  });
});
