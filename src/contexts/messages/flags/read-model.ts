import type { ModelDefinition } from '../../../stores/read-store/port.js';

/** People's flags: one document a person. */
export const flagsModel: ModelDefinition = {
  name: 'flags',
  version: 1,
  collections: [{ name: 'flags', indexes: [] }],
};
