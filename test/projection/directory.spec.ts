import { afterEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { digestModel } from '../../projections/engine/compare-models.js';
import { silentLogger } from '../../projections/engine/logger.js';
import type { BuiltModel } from '../../projections/engine/build-model.js';
import { directoryProjection } from '../../projections/directory.projection.js';
import { directoryEventTypes, isDirectoryEvent } from '../../src/access/directory-event-types.js';
import { DirectoryFollower } from '../../src/access/directory-follower.js';
import { Directory } from '../../src/access/directory.js';
import { loadDirectory } from '../../src/access/load-directory.js';
import { randomCommandId } from '../../src/stores/event-store/event-id.js';
import type { EventLog, FollowOptions, RecordedPage } from '../../src/stores/event-store/event-log.js';
import { PersonErased } from '../../src/events/erasure.js';
import type { ModelStore } from '../../src/stores/read-store/port.js';
import { snapshotOf } from '../support/directory-snapshot.js';
import { randomHistory, type HistoricalAppend } from '../support/random-history.js';
import { openTemporaryStores, type TemporaryStores } from '../support/temporary-stores.js';
import { rebuildModel } from '../support/rebuild-model.js';

let stores: TemporaryStores | undefined;

afterEach(async () => {
  await stores?.dispose();
  stores = undefined;
});

class Written {
  private readonly revisions = new Map<string, number>();
  position = -1;

  constructor(private readonly to: TemporaryStores) {}

  async write(history: readonly HistoricalAppend[]): Promise<void> {
    for (const { stream, events } of history) {
      const expected = this.revisions.get(stream) ?? 'no-stream';
      const metadata = {
        actorId: null,
        commandId: randomCommandId(),
        causationId: null,
        client: 'test',
        at: 1e12,
      };
      const { revision, position } = await this.to.log.append({ stream, expected }, events, metadata);
      this.revisions.set(stream, revision);
      this.position = position;
    }
  }

  /** The directory that follows from the whole log. */
  async folded(): Promise<Directory> {
    const directory = new Directory();
    for await (const page of this.to.eventStore.readAll({ after: null })) {
      for (const event of await this.to.log.decode(page.events)) {
        if (isDirectoryEvent(event)) directory.apply(event);
      }
    }
    return directory;
  }

  build(): Promise<BuiltModel> {
    const signal = new AbortController().signal;
    return rebuildModel(this.to, directoryProjection, { processName: 'test', logger: silentLogger, signal });
  }
}

function followerOf({ log }: TemporaryStores, model: ModelStore | null): DirectoryFollower {
  return new DirectoryFollower({ log, model: () => Promise.resolve(model), logger: silentLogger });
}

const [whole = []] = fc.sample(randomHistory, { numRuns: 20, seed: 7 }).sort((a, b) => b.length - a.length);
const history = whole.slice(0, whole.length / 2);
const later = whole.slice(whole.length / 2);

describe('the read model of the directory', () => {
  it('handles every event that the directory follows, except for erasures, after which it is rebuilt', () => {
    const handled = [...Object.keys(directoryProjection.on), PersonErased.type];
    expect(handled.sort()).toEqual([...directoryEventTypes].sort());
  });

  it('loads the same state as folding the events, for any history', async () => {
    await fc.assert(
      fc.asyncProperty(randomHistory, async (random) => {
        stores = await openTemporaryStores();
        const written = new Written(stores);
        await written.write(random);
        const { model } = await written.build();
        const loaded = await loadDirectory(model);
        const folded = await written.folded();
        expect(loaded && snapshotOf(loaded)).toEqual(snapshotOf(folded));
        expect(loaded?.position).toBe(written.position);
        await stores.dispose();
        stores = undefined;
      }),
      { numRuns: 15 },
    );
  });

  it('is the same however often it is built', async () => {
    stores = await openTemporaryStores();
    const written = new Written(stores);
    await written.write(history);
    expect(await digestModel(await written.build())).toBe(await digestModel(await written.build()));
  });

  it('is not taken as loaded when it changed meanwhile', async () => {
    stores = await openTemporaryStores();
    const written = new Written(stores);
    await written.write(history);
    const { model } = await written.build();
    await expect(loadDirectory(changedWhileRead(model))).resolves.toBeNull();
  });

  it('is not taken as loaded when documents are newer than the checkpoint', async () => {
    stores = await openTemporaryStores();
    const written = new Written(stores);
    await written.write(history);
    const { model } = await written.build();
    await expect(loadDirectory(halfWritten(model, written.position + 1))).resolves.toBeNull();
    await expect(loadDirectory(halfWritten(model, written.position))).resolves.not.toBeNull();
  });
});

describe('the directory that a node follows', () => {
  it('starts empty on an empty log', async () => {
    stores = await openTemporaryStores();
    const follower = followerOf(stores, null);
    await follower.start();
    expect(follower.current().organization).toBeNull();
    expect(follower.lagMilliseconds()).toBe(0);
    await follower.stop();
  });

  it.each([
    ['the log alone', false],
    ['a read model that is behind', true],
  ])('starts from %s and goes on with what is written', async (_name, withModel) => {
    stores = await openTemporaryStores();
    const written = new Written(stores);
    await written.write(history);
    const model = withModel ? (await written.build()).model : null;
    await written.write(later);
    const follower = followerOf(stores, model);
    await follower.start();
    expect(snapshotOf(follower.current())).toEqual(snapshotOf(await written.folded()));

    await written.write([
      { stream: 'users', events: [{ type: 'UserRenamed', data: { userId: 1, fullName: 'New' } }] },
    ]);
    const write = { position: written.position, types: ['UserRenamed'] };
    await expect(follower.waitUntil(write, 60_000)).resolves.toBe(true);
    expect(follower.current().user(1)?.fullName).toBe('New');
    await follower.stop();
  });

  it('continues after the last known event when reading the log is interrupted', async () => {
    stores = await openTemporaryStores();
    const written = new Written(stores);
    await written.write(history);
    const follower = new DirectoryFollower({
      log: breakingOff(stores.log),
      model: () => Promise.resolve(null),
      logger: silentLogger,
    });
    await follower.start();
    await written.write(later);
    const write = { position: written.position, types: ['UserRegistered'] };
    await expect(follower.waitUntil(write, 60_000)).resolves.toBe(true);
    expect(snapshotOf(follower.current())).toEqual(snapshotOf(await written.folded()));
    await follower.stop();
  });

  it('continues from the read model if an operator discarded an unreadable event there', async () => {
    stores = await openTemporaryStores();
    const written = new Written(stores);
    await written.write(history);
    const { model } = await written.build();
    let built: ModelStore | null = null;
    const log = {
      async *follow({ after, ...part }: FollowOptions): AsyncGenerator<RecordedPage> {
        if ((after ?? -1) < written.position) throw new Error('It cannot be read');
        yield* stores!.log.follow({ after, ...part });
      },
    };
    const follower = new DirectoryFollower({
      log,
      model: () => Promise.resolve(built),
      logger: silentLogger,
    });
    const starting = follower.start();
    built = model;
    await starting;
    expect(snapshotOf(follower.current())).toEqual(snapshotOf(await written.folded()));
    await follower.stop();
  });

  it('is not loaded from a model of another version', async () => {
    stores = await openTemporaryStores();
    const written = new Written(stores);
    await written.write(history);
    const { model } = await written.build();
    const collection = (): never => {
      throw new Error('The records of another version are not to be read');
    };
    const follower = followerOf(stores, { ...bound(model), version: model.version + 1, collection });
    await follower.start();
    expect(snapshotOf(follower.current())).toEqual(snapshotOf(await written.folded()));
    await follower.stop();
  });

  it('is not waited for by writes that it does not follow', async () => {
    stores = await openTemporaryStores();
    const follower = followerOf(stores, null);
    await expect(follower.waitUntil({ position: 99, types: ['MessageSent'] }, 60_000)).resolves.toBe(true);
    await expect(follower.waitUntil({ position: 99, types: ['UserRenamed'] }, 1)).resolves.toBe(false);
  });
});

/** Breaks off behind every page, as a connection that is lost again and again. */
function breakingOff(log: EventLog): Pick<EventLog, 'follow'> {
  return {
    async *follow(options) {
      for await (const page of log.follow(options)) {
        yield page;
        throw new Error('connection lost');
      }
    },
  };
}

function changedWhileRead(model: ModelStore): ModelStore {
  let reads = 0;
  return {
    ...bound(model),
    collection: (name) => {
      const collection = model.collection(name);
      if (name !== 'edition') return collection as never;
      return {
        ...collection,
        find: () => Promise.resolve([{ _id: 'directory', events: (reads += 1) }]),
      } as never;
    },
  };
}

function halfWritten(model: ModelStore, position: number): ModelStore {
  return {
    ...bound(model),
    collection: (name) => {
      const collection = model.collection(name);
      if (name !== 'users') return collection as never;
      return {
        ...collection,
        find: async (...given: Parameters<typeof collection.find>) =>
          (await collection.find(...given)).map((user) => ({ ...user, _position: position, _step: 0 })),
      } as never;
    },
  };
}

function bound(model: ModelStore): ModelStore {
  return {
    name: model.name,
    version: model.version,
    collection: (name) => model.collection(name),
    checkpoint: () => model.checkpoint(),
    state: () => model.state(),
    isRemoved: () => model.isRemoved(),
    commit: (batch) => model.commit(batch),
    fence: (...given) => model.fence(...given),
  };
}
