import type { ModelDefinition } from '../../../stores/read-store/port.js';

/** What people read, starred and collapsed: one document a person. */
export const flagsModel: ModelDefinition = {
  name: 'flags',
  version: 1,
  collections: [{ name: 'flags', indexes: [] }],
};
