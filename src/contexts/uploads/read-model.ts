import type { ModelDefinition } from '../../stores/read-store/port.js';

/** What people uploaded. Which messages refer to it, the model of messages knows. */
export const uploadsModel: ModelDefinition = {
  name: 'uploads',
  version: 1,
  collections: [
    { name: 'uploads', indexes: [{ key: { storageName: 1 } }, { key: { uploaderId: 1, _id: 1 } }] },
    { name: 'upload_space', indexes: [] },
  ],
};
