import { LRUCache } from 'lru-cache';
import type { Checkpoint, Collection, Filter, FindOptions, Keyed, ModelBatch, ModelStore } from './port.js';

/** How many answers are kept of one model. */
const MAX_ANSWERS = 64;

/** An answer with more documents than this is not kept. */
const MAX_DOCUMENTS = 1000;

/**
 * A model whose last answers are kept for as long as the store says that nothing was written: people look at the same newest
 * messages again and again. All readers get the same document objects, and change none of them. After a
 * write nothing is kept, so that what was erased does not stay here.
 */
export class RememberingModel implements ModelStore {
  private readonly answers = new LRUCache<string, readonly Keyed[]>({ max: MAX_ANSWERS });
  private answersState: string | null = null;
  /** What the store said in this turn of the event loop; undefined: it was not asked yet. */
  private statedInTurn: string | null | undefined = undefined;

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
      this.answer(
        () => `${name} ${JSON.stringify([filter, options])}`,
        () => collection.find(filter, options),
      );
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

  /** Asks the store once in a turn of the event loop, because asking costs as much as a small read. */
  state(): string | null {
    if (this.statedInTurn === undefined) {
      this.statedInTurn = this.model.state();
      setImmediate(() => this.moved());
    }
    return this.statedInTurn;
  }

  isRemoved(): boolean {
    return this.model.isRemoved();
  }

  /** Something was written: forgets the state of this turn of the event loop, because those who waited for the write read within it. */
  moved(): void {
    this.statedInTurn = undefined;
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
    // Not every store can say whether anything was written; then nothing is kept, and no question needs a key.
    if (state === null) return read();
    if (state !== this.answersState) this.answers.clear();
    this.answersState = state;
    const question = ask();
    const known = this.answers.get(question);
    if (known !== undefined) return [...known] as D[];
    const documents = await read();
    // Something may have been written since; then the next question finds another state.
    if (documents.length <= MAX_DOCUMENTS && this.answersState === state)
      this.answers.set(question, documents);
    return [...documents];
  }
}
