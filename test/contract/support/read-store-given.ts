import { afterAll, beforeAll } from '@jest/globals';
import type {
  Collection,
  CollectionDefinition,
  Filter,
  FindOptions,
  Keyed,
  ModelStore,
  ReadStore,
  Write,
} from '../../../src/stores/read-store/port.js';
import { describeReadStores, type ReadStorePlace } from './read-store-places.js';

export const messages: CollectionDefinition = {
  name: 'messages',
  indexes: [
    { key: { channel: 1, _id: -1 } },
    { key: { channel: 1, topic: 1, _id: 1 } },
    { key: { people: 1, _id: 1 }, multikey: 'people' },
  ],
};

export const accounts: CollectionDefinition = {
  name: 'accounts',
  indexes: [{ key: { email: 1 }, unique: true }],
};

export const newestFirst: FindOptions = { sort: { _id: -1 } };

export function put(document: Keyed, guard: Filter = {}): Write {
  return { replaceOne: { filter: { _id: document._id, ...guard }, replacement: document, upsert: true } };
}

export function unseen(position: number): Filter {
  return { $nor: [{ seen: { $gte: position } }] };
}

/** A model that no other test uses. */
export class Model {
  store!: ModelStore;

  constructor(
    readonly name: string,
    private readonly given: GivenStore,
  ) {}

  /** Collections get the model's name in front, since they share a database. */
  private local(definition: CollectionDefinition): CollectionDefinition {
    return { ...definition, name: `${this.name}_${definition.name}` };
  }

  async open(version = 1, from = this.given.store): Promise<this> {
    this.store = await from.openModel(this.name, version, [this.local(messages), this.local(accounts)]);
    return this;
  }

  collection(definition = messages): Collection<Keyed> {
    return this.store.collection(this.local(definition).name);
  }

  /** Commits writes under a checkpoint and a token. */
  async commit(
    writes: readonly Write[],
    { definition = messages, position = 1, token = 1 } = {},
  ): Promise<void> {
    const collection = this.local(definition).name;
    await this.store.commit({
      writes: writes.map((write) => ({ collection, write })),
      checkpoint: { position },
      fencingToken: token,
    });
  }

  async ids(filter: Filter, options: FindOptions = { sort: { _id: 1 } }): Promise<(number | string)[]> {
    return (await this.collection().find(filter, options)).map(({ _id }) => _id);
  }

  all(): Promise<Keyed[]> {
    return this.collection().find({}, { sort: { _id: 1 } });
  }
}

/** A store of one adapter, which is open while the tests of a suite run. */
class GivenStore {
  place!: ReadStorePlace;
  store!: ReadStore;
  private names = 0;

  constructor(readonly newPlace: () => ReadStorePlace) {}

  async open(): Promise<void> {
    this.place = this.newPlace();
    this.store = await this.place.open();
  }

  async close(): Promise<void> {
    await this.store.close();
    await this.place.destroy();
  }

  /** A name that no other model has. */
  newName(): string {
    this.names += 1;
    return `model${this.names}`;
  }

  /** A model that is not opened yet. */
  model(): Model {
    return new Model(this.newName(), this);
  }

  newModel(): Promise<Model> {
    return this.model().open();
  }

  async modelWith(documents: readonly Keyed[]): Promise<Model> {
    const model = await this.newModel();
    await model.commit(documents.map((document) => put(document)));
    return model;
  }
}

/** Runs a suite on a store of each adapter, see {@link describeReadStores}. */
export function describeModels(suite: (given: GivenStore) => void): void {
  describeReadStores((newPlace) => {
    const given = new GivenStore(newPlace);
    beforeAll(() => given.open());
    afterAll(() => given.close());
    suite(given);
  });
}
