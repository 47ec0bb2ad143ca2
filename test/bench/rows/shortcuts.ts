import { join } from 'node:path';
import { silentLogger } from '../../../projections/engine/logger.js';
import { foldedUsers } from '../../../src/contexts/users/users.state.js';
import { openEmbeddedEventStore } from '../../../src/stores/event-store/embedded/embedded-event-store.js';
import { FoldedStreams } from '../../../src/stores/event-store/folded-streams.js';
import type { EventStore } from '../../../src/stores/event-store/port.js';
import { Snapshots } from '../../../src/stores/event-store/snapshots/snapshots.js';
import { pageOf, simpleCandidates } from '../../../src/stores/read-store/embedded/candidates.js';
import { CollectionWriter } from '../../../src/stores/read-store/embedded/collection-writer.js';
import { Connection } from '../../../src/stores/read-store/embedded/connection.js';
import { EmbeddedCollection } from '../../../src/stores/read-store/embedded/embedded-collection.js';
import { prepareTables } from '../../../src/stores/read-store/embedded/model-tables.js';
import { DirectReader } from '../../../src/stores/read-store/embedded/row-reader.js';
import { sortKeys } from '../../../src/stores/read-store/language/options.js';
import { parseReadFilter } from '../../../src/stores/read-store/language/terms.js';
import { openTemporaryStores } from '../../support/temporary-stores.js';
import { besides, type BenchRow, type Measurement, type Size } from '../measurement.js';
import { registerPeople } from '../support/people.js';
import { inRounds, secondsOf, type Samples } from '../support/rounds.js';
import { encodedSamples, eventsLike, take } from '../support/stored-samples.js';
import { inTemporaryFolder } from '../support/temporary-folder.js';

const MILLISECONDS = 1e3;

/** Optimizations compared to the simple alternatives: each one must be worth its complexity. */
export const shortcutsRow: BenchRow = {
  name: 'shortcuts',
  measure: async (size) => [await snapshots(size), await recentEvents(size), await mergedBranches(size)],
};

/**
 * Loads a stream of accounts from its snapshot and from its events, which are encrypted with a key for each
 * account.
 */
async function snapshots({ quick }: Size): Promise<Measurement> {
  const people = quick ? 2_000 : 20_000;
  const stores = await openTemporaryStores();
  try {
    await registerPeople(stores, people);
    const { log, vault } = stores;
    const options = {
      directory: join(stores.directory, 'snapshots'),
      log,
      vault,
      logger: silentLogger,
      now: () => Date.now(),
    };
    const loaded = async (): Promise<void> => {
      const kept = new Snapshots(options);
      await new FoldedStreams(log, { snapshots: kept }).load(foldedUsers);
      await kept.close();
    };
    await loaded();
    const { snapshot, events } = await inRounds(
      { count: quick ? 1 : 5, warmUp: true },
      {
        snapshot: () => secondsOf(loaded),
        events: () => secondsOf(async () => void (await new FoldedStreams(log).load(foldedUsers))),
      },
    );
    const work = `${people.toLocaleString('en')} accounts, as a process loads them that has just started`;
    return measurement({ what: 'load a stream from its snapshot', work }, snapshot, {
      what: 'from its events',
      samples: events,
    });
  } finally {
    await stores.dispose();
  }
}

/** Followers in the process that appends, as read models and reactors are. */
async function recentEvents({ quick }: Size): Promise<Measurement> {
  const [followers, appends, together] = [12, quick ? 50 : 500, 16];
  const stores = await openTemporaryStores();
  const store = openEmbeddedEventStore({ file: join(stores.directory, 'followed.sqlite') });
  const ending = new AbortController();
  try {
    const samples = eventsLike(await encodedSamples(stores.codec));
    const append = async (): Promise<number> =>
      (await store.append('messages', 'any', take(samples, together))).position;
    const last = await append();
    const subscriptions = Array.from({ length: followers }, () =>
      store.subscribeAll({ after: last, signal: ending.signal })[Symbol.asyncIterator](),
    );
    for (const subscription of subscriptions) await subscription.next();
    const { kept, read } = await inRounds(
      { count: quick ? 1 : 5, warmUp: true },
      {
        kept: () =>
          processorSeconds(async () => {
            for (let count = 0; count < appends; count += 1) {
              const received = subscriptions.map((subscription) => subscription.next());
              await append();
              await Promise.all(received);
            }
          }),
        read: () =>
          processorSeconds(async () => {
            for (let count = 0; count < appends; count += 1) {
              const after = (await append()) - together;
              // The followers read these events here, too, so that the two sides differ only in what is measured.
              await Promise.all(subscriptions.map((subscription) => subscription.next()));
              for (let follower = 0; follower < followers; follower += 1) await readBehind(store, after);
            }
          }),
      },
    );
    const again = read.map((seconds, round) => seconds - kept[round]!);
    const work = `${appends} appends of ${together} events, ${followers} followers: processor time of their pages, with the appends in ours`;
    return measurement({ what: 'follow what was just appended', work }, kept, {
      what: 'from the file',
      samples: again,
    });
  } finally {
    ending.abort();
    await store.close();
    await stores.dispose();
  }
}

async function readBehind(store: EventStore, after: number): Promise<void> {
  for await (const { live } of store.readAll({ after })) if (live) return;
}

/**
 * The newest messages in a few channels or to one person, as somebody requests them who sees little of a large
 * organization.
 */
function mergedBranches({ quick }: Size): Promise<Measurement> {
  const [documents, places, wanted, pages] = [quick ? 10_000 : 100_000, 2_000, 20, quick ? 2 : 20];
  return inTemporaryFolder(async (folder) => {
    const connection = Connection.open(join(folder, 'places.sqlite'));
    try {
      const indexes = [
        { key: { place: 1, _id: 1 } },
        { key: { readers: 1, _id: 1 }, multikey: 'readers' },
      ] as const;
      const schema = prepareTables(connection, [{ name: 'items', integerKeys: true, indexes }]).get('items')!;
      const writer = new CollectionWriter({ connection, schema });
      connection.transaction(() => {
        for (let id = 1; id <= documents; id += 1) {
          const place = (id * 7) % places;
          writer.insert({ _id: id, place, readers: [place, place + 1] });
        }
      });
      const reader = new DirectReader(connection);
      const collection = new EmbeddedCollection({ reader, schema });
      const branches = Array.from({ length: wanted }, (_, index) => ({ place: 3 * index }));
      const filter = { $or: [...branches, { readers: 1 }] };
      const [sort, limit] = [{ _id: -1 } as const, 100];
      const query = { condition: parseReadFilter(filter, undefined), sort: sortKeys(sort) };
      const simply = (): Promise<unknown> =>
        pageOf(reader, simpleCandidates(schema, query), { limit, offset: 0 });
      const { merged, simple } = await inRounds(
        { count: quick ? 1 : 5, warmUp: true },
        {
          merged: () => secondsOf(() => times(pages, () => collection.find(filter, { sort, limit }))),
          simple: () => secondsOf(() => times(pages, simply)),
        },
      );
      const work = `${pages} pages of ${limit} out of ${documents.toLocaleString('en')} documents, in ${wanted} of ${places} places or for one of as many people`;
      return measurement({ what: 'merge the branches of a filter', work }, merged, {
        what: 'one statement as SQLite plans it',
        samples: simple,
      });
    } finally {
      connection.close();
    }
  });
}

async function times(count: number, task: () => Promise<unknown>): Promise<void> {
  for (let index = 0; index < count; index += 1) await task();
}

async function processorSeconds(task: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage();
  await task();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

function measurement(
  { what, work }: Pick<Measurement, 'what' | 'work'>,
  ours: Samples,
  simple: { readonly what: string; readonly samples: Samples },
): Measurement {
  const inMilliseconds = (samples: Samples): Samples => samples.map((seconds) => seconds * MILLISECONDS);
  const beside = { what: simple.what, samples: inMilliseconds(simple.samples) };
  return {
    what,
    ...besides(inMilliseconds(ours), beside, { ours: 'ms', theirs: 'ms' }),
    target: { atMost: 0.5 },
    work,
  };
}
