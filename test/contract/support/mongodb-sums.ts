import type { Keyed, ModelBatch, ModelStore, ReadStore } from '../../../src/stores/read-store/port.js';

/** A model whose documents count how often a batch reached them. */
export function openSums(store: ReadStore): Promise<ModelStore> {
  return store.openModel('sums', 1, [{ name: 'sums', indexes: [] }]);
}

/** Adds one to each of two documents; the checkpoint is the token. */
export function addition(fencingToken: number): ModelBatch {
  const writes = [1, 2].map((_id) => ({
    collection: 'sums',
    write: { updateOne: { filter: { _id }, update: { $inc: { sum: 1 } }, upsert: true } },
  }));
  return { writes, checkpoint: { position: fencingToken }, fencingToken };
}

/** How often batches reached each document. */
export async function sumsOf(model: ModelStore): Promise<readonly number[]> {
  const documents = await model
    .collection<Keyed & { readonly sum: number }>('sums')
    .find({}, { sort: { _id: 1 } });
  return documents.map(({ sum }) => sum);
}
