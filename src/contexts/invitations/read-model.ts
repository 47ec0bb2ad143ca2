import type { ModelDefinition } from '../../stores/read-store/port.js';
import type { Role } from '../../events/users.js';

/** The open invitations, expired ones included. */
export const invitationsModel: ModelDefinition = {
  name: 'invitations',
  version: 1,
  collections: [{ name: 'invitations', indexes: [{ key: { inviterId: 1, _id: 1 } }] }],
};

/** An open invitation or reusable link. */
export type InvitationDocument = {
  /** Its id. */
  readonly _id: number;
  /** Null for a reusable link. */
  readonly email: string | null;
  readonly inviterId: number;
  readonly role: Role;
  readonly notifyInviter: boolean;
  /** Seconds since the UNIX epoch. */
  readonly sentAt: number;
  /** Seconds since the UNIX epoch; null: never. */
  readonly expiresAt: number | null;
};
