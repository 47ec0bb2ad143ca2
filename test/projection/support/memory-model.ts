import {
  DuplicateKeyError,
  FencedError,
  ModelRemovedError,
  type Checkpoint,
  type Collection,
  type CollectionDefinition,
  type FindOptions,
  type Keyed,
  type ModelBatch,
  type ModelStore,
  type Write,
} from '../../../src/stores/read-store/port.js';
import { matches, updated } from './memory-query.js';

type Documents = Map<number | string, Keyed>;

/** Called before each single write (the checkpoint is one): throws where the process is to die. */
export type BeforeWrite = () => void;

export class MemoryModel implements ModelStore {
  private readonly documents = new Map<string, Documents>();
  private readonly unique = new Map<string, readonly string[]>();
  private position: number | null = null;
  private highestToken = 0;
  readonly commits: ModelBatch[] = [];

  constructor(
    readonly name: string,
    readonly version: number,
    private readonly options: {
      readonly atomic: boolean;
      readonly beforeWrite: BeforeWrite;
      readonly isRemoved: () => boolean;
    },
  ) {}

  declare(collections: readonly CollectionDefinition[]): void {
    for (const { name, indexes } of collections) {
      if (!this.documents.has(name)) this.documents.set(name, new Map());
      const fields = indexes.filter((index) => index.unique).flatMap((index) => Object.keys(index.key));
      this.unique.set(name, fields);
    }
  }

  collection<D extends Keyed>(name: string): Collection<D> {
    const all = (): D[] => structuredClone([...this.documentsOf(name).values()]) as D[];
    const find = (filter: object, { sort, limit, skip = 0 }: FindOptions = {}): D[] => {
      const found = all().filter((document) => matches(document, filter as never));
      if (sort) found.sort((one, other) => (one._id < other._id ? -1 : 1) * (sort._id ?? 1));
      return found.slice(skip, limit === undefined ? undefined : skip + limit);
    };
    return {
      findOne: (filter) => Promise.resolve(find(filter)[0] ?? null),
      find: (filter, options) => Promise.resolve(find(filter, options)),
      countDocuments: (filter) => Promise.resolve(find(filter).length),
      distinct: (path, filter) =>
        Promise.resolve([...new Set(find(filter).map((document) => document[path]))]),
    };
  }

  state(): null {
    return null;
  }

  checkpoint(): Promise<Checkpoint> {
    return Promise.resolve({ position: this.position });
  }

  isRemoved(): boolean {
    return this.options.isRemoved();
  }

  async fence(fencingToken: number): Promise<Checkpoint> {
    if (this.isRemoved()) throw new ModelRemovedError(this.name, this.version);
    if (fencingToken < this.highestToken) throw new FencedError('A higher token was here');
    this.highestToken = fencingToken;
    return this.checkpoint();
  }

  async commit(batch: ModelBatch): Promise<void> {
    await this.fence(batch.fencingToken);
    this.commits.push(batch);
    if (this.options.atomic) return this.commitAtOnce(batch);
    // In order within a collection only, as MongoDB without transactions is written to.
    const collections = [...new Set(batch.writes.map(({ collection }) => collection))];
    for (const name of collections) {
      for (const { collection, write } of batch.writes) {
        if (collection !== name) continue;
        this.options.beforeWrite();
        this.write(collection, write);
      }
    }
    this.options.beforeWrite();
    this.position = batch.checkpoint.position;
  }

  /** Applies writes of a batch that was begun before its writer lost the lease: nobody looks at the token any more. */
  writeLate(writes: ModelBatch['writes']): void {
    for (const { collection, write } of writes) this.write(collection, write);
  }

  private commitAtOnce(batch: ModelBatch): void {
    const before = structuredClone(this.documents);
    try {
      this.options.beforeWrite();
      for (const { collection, write } of batch.writes) this.write(collection, write);
      this.position = batch.checkpoint.position;
    } catch (error) {
      for (const [name, documents] of before) this.documents.set(name, documents);
      throw error;
    }
  }

  private documentsOf(name: string): Documents {
    const documents = this.documents.get(name);
    if (documents === undefined) throw new Error(`The model ${this.name} has no collection ${name}`);
    return documents;
  }

  private write(collection: string, write: Write): void {
    const documents = this.documentsOf(collection);
    const matching = (filter: object): Keyed[] =>
      [...documents.values()].filter((document) => matches(document, filter as never));
    if ('replaceOne' in write) {
      const { filter, replacement, upsert = false } = write.replaceOne;
      const exists = matching(filter).length > 0;
      // A guarded upsert that finds a newer document means "already seen".
      if (exists || (upsert && !documents.has(replacement._id))) this.put(collection, replacement);
    } else if ('updateMany' in write) {
      for (const document of matching(write.updateMany.filter)) {
        this.put(collection, updated(document, write.updateMany.update));
      }
    } else if ('deleteOne' in write) {
      const [first] = matching(write.deleteOne.filter);
      if (first) documents.delete(first._id);
    } else if ('deleteMany' in write) {
      for (const { _id } of matching(write.deleteMany.filter)) documents.delete(_id);
    } else {
      throw new Error('The memory store knows no updateOne');
    }
  }

  private put(collection: string, document: Keyed): void {
    const documents = this.documentsOf(collection);
    for (const field of this.unique.get(collection) ?? []) {
      for (const other of documents.values()) {
        if (other._id !== document._id && (other[field] ?? null) === (document[field] ?? null)) {
          throw new DuplicateKeyError(`${collection}.${field}`);
        }
      }
    }
    documents.set(document._id, structuredClone(document));
  }
}
