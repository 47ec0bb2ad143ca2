import { LRUCache } from 'lru-cache';
import type { Checkpoint, Collection, Filter, FindOptions, Keyed, ModelBatch, ModelStore } from './port.js';

/** How many answers are kept of one model. */
const MOST_ANSWERS = 256;

/** An answer with more documents than this is not kept. */
const MOST_DOCUMENTS = 1000;

/**
 * A model whose last answers are kept for as long as the store says that nothing was written: people look at the same newest
 * messages again and again. Whoever reads gets the same documents as the one before, and changes none of them. After a
 * write nothing is kept, so that what was erased does not stay here.
 */
export class RememberingModel implements ModelStore {
  private readonly answers = new LRUCache<string, readonly Keyed[]>({ max: MOST_ANSWERS });
  private answersState: string | null = null;

  constructor(private readonly model: ModelStore) {}

  get name(): string {
    return this.model.name;
  }

  get version(): number {
    return this.model.version;
  }

  collection<D extends Keyed>(name: string): Collection<D> {
    const collection = this.model.collection<D>(name);
    const find = (filter: Filter, options: FindOptions = {}): Promise<D[]> =>
      this.answer(`${name} ${JSON.stringify([filter, options])}`, () => collection.find(filter, options));
    return {
      find,
      findOne: async (filter, options = {}) => (await find(filter, { ...options, limit: 1 }))[0] ?? null,
      countDocuments: (filter) => collection.countDocuments(filter),
      distinct: (path, filter) => collection.distinct(path, filter),
    };
  }

  checkpoint(): Promise<Checkpoint> {
    return this.model.checkpoint();
  }

  state(): string | null {
    return this.model.state();
  }

  fence(fencingToken: number): Promise<Checkpoint> {
    return this.model.fence(fencingToken);
  }

  commit(batch: ModelBatch): Promise<void> {
    return this.model.commit(batch);
  }

  private async answer<D extends Keyed>(question: string, read: () => Promise<D[]>): Promise<D[]> {
    const state = this.model.state();
    if (state === null) return read();
    if (state !== this.answersState) this.answers.clear();
    this.answersState = state;
    const known = this.answers.get(question);
    if (known !== undefined) return [...known] as D[];
    const documents = await read();
    // Something may have been written since; then the next question finds another state.
    if (documents.length <= MOST_DOCUMENTS && this.answersState === state)
      this.answers.set(question, documents);
    return [...documents];
  }
}
