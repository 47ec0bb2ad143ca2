import type { ModelDefinition } from '../../stores/read-store/port.js';

/** Which letters wait to be sent. */
export const mailModel: ModelDefinition = {
  name: 'mail',
  version: 4,
  collections: [{ name: 'letters', indexes: [{ key: { dueAt: 1 } }] }],
};
