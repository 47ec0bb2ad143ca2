import type { ModelDefinition } from '../../stores/read-store/port.js';

/** The devices of people, and which notifications can be sent to. */
export const devicesModel: ModelDefinition = {
  name: 'devices',
  version: 2,
  collections: [{ name: 'devices', indexes: [{ key: { userId: 1, _id: 1 } }] }],
};
