import type { Checkpoint, Collection, Keyed, ModelStore, Write } from '../../src/stores/read-store/port.js';
import type { ChangeSet, OrderedChange } from './change-set.js';

/** Makes change sets durable in one version of one model, so that each counts once whatever happens in between. */
export interface ModelWriter {
  /** Keeps predecessors out, finishes what they left half done, and answers how far the model has come. */
  recover(): Promise<Checkpoint>;
  /** @throws FencedError, ReadStoreUnavailableError, or an error about the changes themselves. */
  commit(changes: ChangeSet): Promise<void>;
  /** A collection as handlers are to see it. */
  collection<D extends Keyed>(name: string): Collection<D>;
}

/** Where a writer writes, and by what right. */
export interface WriterTarget {
  readonly model: ModelStore;
  readonly fencingToken: number;
}

/** For stores that make a batch and its checkpoint visible together: nothing needs a guard. */
export class AtomicModelWriter implements ModelWriter {
  constructor(private readonly target: WriterTarget) {}

  recover(): Promise<Checkpoint> {
    return this.target.model.fence(this.target.fencingToken);
  }

  commit({ changes, position }: ChangeSet): Promise<void> {
    const { model, fencingToken } = this.target;
    return model.commit({ writes: changes.map(plainWrite), checkpoint: { position }, fencingToken });
  }

  collection<D extends Keyed>(name: string): Collection<D> {
    return this.target.model.collection(name);
  }
}

/** A write with the collection that it changes, as {@link ModelStore.commit} takes it. */
export interface PlacedWrite {
  readonly collection: string;
  readonly write: Write;
}

function plainWrite(change: OrderedChange): PlacedWrite {
  const { collection } = change;
  if ('put' in change) {
    return {
      collection,
      write: { replaceOne: { filter: { _id: change.put._id }, replacement: change.put, upsert: true } },
    };
  }
  if ('remove' in change) return { collection, write: { deleteOne: { filter: { _id: change.remove } } } };
  return { collection, write: { updateMany: change.updateMany } };
}
