import type { ModelDefinition } from '../../stores/read-store/port.js';

/** What people who were away are to be told of. */
export const missedMessagesModel: ModelDefinition = {
  name: 'missed-messages',
  version: 2,
  collections: [
    { name: 'mails', indexes: [{ key: { dueAt: 1 } }, { key: { userId: 1, messageId: 1 } }] },
    { name: 'pushes', indexes: [{ key: { notedAt: 1 } }] },
    { name: 'shown', indexes: [{ key: { userId: 1, messageId: 1 } }] },
  ],
};
