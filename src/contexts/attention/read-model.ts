import type { ModelDefinition } from '../../stores/read-store/port.js';

/** What people want to hear of and what not: one document a person, and one for each topic that somebody chose. */
export const attentionModel: ModelDefinition = {
  name: 'attention',
  version: 2,
  collections: [
    { name: 'attention', indexes: [] },
    { name: 'topic_wishes', indexes: [] },
  ],
};
