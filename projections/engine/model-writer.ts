import type { Checkpoint, Collection, Keyed, ModelStore, Write } from '../../src/stores/read-store/port.js';
import type { ChangeSet, OrderedChange } from './engine-fields.js';

/** Commits change sets to one version of one model, so that each takes effect exactly once. */
export interface ModelWriter {
  /** Fences off predecessors, completes their partly written batch, and returns the checkpoint. */
  recover(): Promise<Checkpoint>;
  /** @throws FencedError, ReadStoreUnavailableError, or an error about the changes themselves */
  commit(changes: ChangeSet): Promise<void>;
  /** A collection without engine fields. */
  collection<D extends Keyed>(name: string): Collection<D>;
}

/** The version that a writer writes to, and its fencing token. */
export interface WriterTarget {
  readonly model: ModelStore;
  readonly fencingToken: number;
}

/** For stores that commit a batch and its checkpoint atomically, so that writes need no guard. */
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

/** A write and its collection, as {@link ModelStore.commit} takes it. */
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
