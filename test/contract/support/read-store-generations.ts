import type {
  CollectionDefinition,
  ModelBatch,
  ModelStore,
  ReadStore,
} from '../../../src/stores/read-store/port.js';

const documents: CollectionDefinition = {
  name: 'documents',
  indexes: [{ key: { generation: 1 } }, { key: { tags: 1, _id: 1 }, multikey: 'tags' }],
};

/** How many documents each generation rewrites. */
export const generationSize = 30;

/** Opens the model that writers and readers of generations share. */
export function openGenerations(store: ReadStore): Promise<ModelStore> {
  return store.openModel('generations', 1, [documents]);
}

/** A batch after which every document, and the checkpoint, is of one generation. */
export function generationBatch(generation: number): ModelBatch {
  const writes = Array.from({ length: generationSize }, (_, _id) => {
    const replacement = { _id, generation, tags: [generation, `${generation}`], text: 'x'.repeat(500) };
    return {
      collection: documents.name,
      write: { replaceOne: { filter: { _id }, replacement, upsert: true } },
    };
  });
  return { writes, checkpoint: { position: generation }, fencingToken: 1 };
}
