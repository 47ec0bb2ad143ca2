import { LRUCache } from 'lru-cache';
import type { Checkpoint, Collection, Filter, FindOptions, Keyed, ModelBatch, ModelStore } from './port.js';

/** Number of cached answers of one model. */
const MAX_ANSWERS = 64;

/** Answers with more documents are not cached. */
const MAX_DOCUMENTS = 1000;

/**
 * A model with a cache of its last answers, which is valid as long as the store's state does not change: people read the same newest
 * messages again and again. All readers share the document objects and must not change them. After a write the cache is empty, so that it
 * contains nothing that was erased.
 */
export class CachingModel implements ModelStore {
  private readonly answers = new LRUCache<string, readonly Keyed[]>({ max: MAX_ANSWERS });
  private answersState: string | null = null;
  /** The store's state in this iteration of the event loop; undefined: it has not been read yet. */
  private cachedState: string | null | undefined = undefined;

  constructor(
    private readonly model: ModelStore,
    /** Reads from the model, such as in bounded time. */
    private readonly read: <Result>(read: () => Promise<Result>) => Promise<Result> = (read) => read(),
  ) {}

  get name(): string {
    return this.model.name;
  }

  get version(): number {
    return this.model.version;
  }

  collection<D extends Keyed>(name: string): Collection<D> {
    const collection = this.model.collection<D>(name);
    const find = (filter: Filter, options: FindOptions = {}): Promise<D[]> =>
      this.answer(
        () => `${name} ${JSON.stringify([filter, options])}`,
        () => this.read(() => collection.find(filter, options)),
      );
    return {
      find,
      findOne: async (filter, options = {}) => (await find(filter, { ...options, limit: 1 }))[0] ?? null,
      countDocuments: (filter) => this.read(() => collection.countDocuments(filter)),
      distinct: (path, filter) => this.read(() => collection.distinct(path, filter)),
    };
  }

  checkpoint(): Promise<Checkpoint> {
    return this.read(() => this.model.checkpoint());
  }

  /** Reads the store's state once in an iteration of the event loop, because that costs as much as a small read. */
  state(): string | null {
    if (this.cachedState === undefined) {
      this.cachedState = this.model.state();
      setImmediate(() => this.moved());
    }
    return this.cachedState;
  }

  isRemoved(): boolean {
    return this.model.isRemoved();
  }

  /** To be called after a write: drops the cached state, because whoever waited for the write may read in the same iteration. */
  moved(): void {
    this.cachedState = undefined;
  }

  fence(fencingToken: number): Promise<Checkpoint> {
    return this.model.fence(fencingToken);
  }

  async commit(batch: ModelBatch): Promise<void> {
    await this.model.commit(batch);
    this.moved();
  }

  private async answer<D extends Keyed>(ask: () => string, read: () => Promise<D[]>): Promise<D[]> {
    const state = this.state();
    // If the store does not know its state, nothing is cached.
    if (state === null) return read();
    if (state !== this.answersState) this.answers.clear();
    this.answersState = state;
    const question = ask();
    const known = this.answers.get(question);
    if (known !== undefined) return [...known] as D[];
    const documents = await read();
    // If there was a write meanwhile, the state is another one, and the answer is not cached.
    if (documents.length <= MAX_DOCUMENTS && this.answersState === state)
      this.answers.set(question, documents);
    return [...documents];
  }
}
