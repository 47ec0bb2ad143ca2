import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  UnsupportedQueryError,
  type Collection,
  type CollectionDefinition,
  type Keyed,
  type ModelStore,
  type ReadStore,
  type Write,
} from '../../src/stores/read-store/port.js';
import { mongoUrl } from './mongo-database.js';
import { NaiveCollection } from './support/read-store-naive.js';
import { embeddedPlace, mongoPlace, type ReadStorePlace } from './support/read-store-places.js';
import { worldOfTexts } from './support/read-store-texts.js';
import { worldOfThings, type World } from './support/read-store-universe.js';

/** fast-check prints the seed and the smallest failing example; a seed given here repeats a run. */
const seed =
  process.env['READ_STORE_SEED'] === undefined ? {} : { seed: Number(process.env['READ_STORE_SEED']) };

/** A store, and the same documents in memory. */
class Pair {
  readonly naive: NaiveCollection;
  readonly collection: Collection<Keyed>;

  constructor(
    private readonly model: ModelStore,
    private readonly definition: CollectionDefinition,
  ) {
    this.naive = new NaiveCollection(definition.termIndex);
    this.collection = model.collection(definition.name);
  }

  /** Applies a write to both, which both take (the answer is true) or both refuse. */
  async apply(write: Write): Promise<boolean> {
    const taken = await this.attempt(() => this.commit([write]));
    expect([taken, write]).toEqual([await this.attempt(() => this.naive.apply(write)), write]);
    return taken;
  }

  /** Fills both, replacing what stood there. */
  async fill(documents: readonly Keyed[]): Promise<void> {
    const writes = documents.map((replacement): Write => ({
      replaceOne: { filter: { _id: replacement._id }, replacement, upsert: true },
    }));
    await this.commit([{ deleteMany: { filter: {} } }, ...writes]);
    for (const write of writes) this.naive.apply(write);
  }

  private commit(writes: readonly Write[]): Promise<void> {
    const placed = writes.map((write) => ({ collection: this.definition.name, write }));
    return this.model.commit({ writes: placed, checkpoint: { position: 1 }, fencingToken: 1 });
  }

  private async attempt(task: () => Promise<void> | void): Promise<boolean> {
    try {
      await task();
      return true;
    } catch (error) {
      if (error instanceof UnsupportedQueryError) return false;
      throw error;
    }
  }
}

function comparison(newPlace: () => ReadStorePlace, world: World, runs: number): void {
  const { definition, someDocument, someFilter, someOptions, somePath, someWrite } = world;
  const place = newPlace();
  let store: ReadStore;
  let model: ModelStore;
  beforeAll(async () => {
    store = await place.open();
    model = await store.openModel('comparison', 1, [definition]);
  });
  afterAll(async () => {
    await store.close();
    await place.destroy();
  });

  async function pairOf(documents: readonly Keyed[]): Promise<Pair> {
    const pair = new Pair(model, definition);
    await pair.fill(documents);
    return pair;
  }

  it('finds, counts and tells apart what the documented meaning says', async () => {
    const questions = fc.array(fc.tuple(someFilter, someOptions, somePath), {
      minLength: 1,
      maxLength: 12,
    });
    const documents = fc.array(someDocument, { maxLength: 14 });
    await fc.assert(
      fc.asyncProperty(documents, questions, async (stored, asked) => {
        const { collection, naive } = await pairOf(stored);
        for (const [filter, options, path] of asked) {
          expect(await collection.find(filter, options)).toEqual(naive.find(filter, options));
          expect(await collection.countDocuments(filter)).toBe(naive.find(filter).length);
          expect(await collection.distinct(path, filter)).toEqual(naive.distinct(path, filter));
        }
      }),
      { numRuns: runs, ...seed },
    );
  });

  it('changes documents as the documented meaning says, and finds them by what they became', async () => {
    const documents = fc.array(someDocument, { maxLength: 8 });
    // Adapters may handle a large batch in another way than a small one.
    const writes = fc.oneof(
      { weight: 3, arbitrary: fc.array(someWrite, { minLength: 1, maxLength: 10 }) },
      { weight: 1, arbitrary: fc.array(someWrite, { minLength: 20, maxLength: 40 }) },
    );
    const questions = fc.array(someFilter, { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(documents, writes, questions, async (stored, changes, asked) => {
        const pair = await pairOf(stored);
        for (const write of changes) {
          // What is refused half-way leaves its first half on a store without atomic batches.
          if (!(await pair.apply(write)) && !store.atomicBatches) return;
        }
        for (const filter of [{}, ...asked]) {
          const options = { sort: { _id: 1 } } as const;
          expect(await pair.collection.find(filter, options)).toEqual(pair.naive.find(filter, options));
        }
      }),
      { numRuns: runs, ...seed },
    );
  });
}

describe('random questions and changes', () => {
  describe('embedded', () => {
    describe('of things', () => comparison(embeddedPlace, worldOfThings('anything'), 200));
    describe('of texts', () => comparison(embeddedPlace, worldOfTexts, 200));
  });
  const onServer = (): void => {
    describe('of things', () => comparison(mongoPlace, worldOfThings('plain conditions'), 40));
    describe('of texts', () => comparison(mongoPlace, worldOfTexts, 40));
  };
  if (mongoUrl === undefined) describe.skip('mongodb (NOT RUN: MONGODB_URL is not set)', onServer);
  else describe('mongodb', onServer);
});
