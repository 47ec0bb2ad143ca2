import {
  ReadStoreUnavailableError,
  type ModelBatch,
  type ModelStore,
  type ReadStore,
} from '../../../src/stores/read-store/port.js';

/**
 * A store on which the process dies once it has made so many single writes; a checkpoint counts as one. Where batches are atomic,
 * nothing of the last one is left.
 */
export function cutShort(store: ReadStore, writes: number): ReadStore {
  let left = writes;
  const commit = async (model: ModelStore, batch: ModelBatch): Promise<void> => {
    const made = batch.writes.slice(0, left);
    left -= batch.writes.length + 1;
    if (left >= 0) return model.commit(batch);
    if (!store.atomicBatches)
      await model.commit({ ...batch, writes: made, checkpoint: await model.checkpoint() });
    left = 0;
    throw new ReadStoreUnavailableError('The process died in the middle of a batch');
  };
  return overriding(store, {
    openModel: async (...parameters: Parameters<ReadStore['openModel']>) => {
      const model = await store.openModel(...parameters);
      return overriding(model, { commit: (batch: ModelBatch) => commit(model, batch) });
    },
  });
}

function overriding<Target extends object>(target: Target, methods: Partial<Target>): Target {
  return new Proxy(target, {
    get: (_, property) => {
      const value = Reflect.get(property in methods ? methods : target, property) as unknown;
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}
