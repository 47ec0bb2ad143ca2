import type { Filter, FindOptions, ModelStore } from '../../../src/stores/read-store/port.js';

/** A look into a collection of a model. */
export interface RecordedQuery {
  readonly collection: string;
  readonly filter: Filter;
  readonly options: FindOptions;
}

/** The model, and the queries that are asked of it, as they come. */
export function recordingModel(model: ModelStore): {
  readonly model: ModelStore;
  readonly queries: RecordedQuery[];
} {
  const queries: RecordedQuery[] = [];
  const recording = Object.assign(Object.create(model) as ModelStore, {
    collection: (name: string) => {
      const collection = model.collection(name);
      const find: typeof collection.find = (filter, options = {}) => {
        queries.push({ collection: name, filter, options });
        return collection.find(filter, options);
      };
      return Object.assign(Object.create(collection) as typeof collection, { find });
    },
  });
  return { model: recording, queries };
}
