import type { ModelDefinition } from '../../stores/read-store/port.js';

/** The invitations that stand, those that have expired among them. */
export const invitationsModel: ModelDefinition = {
  name: 'invitations',
  version: 1,
  collections: [{ name: 'invitations', indexes: [{ key: { inviterId: 1, _id: 1 } }] }],
};
