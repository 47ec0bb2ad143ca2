import type { Role } from '../../events/users.js';
import type { ModelDefinition } from '../../stores/read-store/port.js';

/**
 * The index by which auditors find events of the log. It contains only ids, types and digests, nothing
 * erasable.
 */
export const auditIndexModel: ModelDefinition = {
  name: 'audit-index',
  version: 2,
  collections: [
    {
      name: 'audit_entries',
      integerKeys: true,
      indexes: [{ key: { facets: 1, _id: 1 }, multikey: 'facets' }, { key: { stream: 1, _id: 1 } }],
    },
    { name: 'audit_roles', integerKeys: true, indexes: [] },
    { name: 'audit_senders', integerKeys: true, indexes: [] },
  ],
};

/** An event of the log. */
export type AuditEntryDocument = {
  /** Its log position. */
  readonly _id: number;
  readonly stream: string;
  readonly revision: number;
  /** When it was decided, in milliseconds since the UNIX epoch. */
  readonly at: number;
  /** The facets by which it is found, a bounded number: see `facets.ts`. */
  readonly facets: readonly string[];
};

/** An account's present role. */
export type AuditRoleDocument = {
  /** The account's id. */
  readonly _id: number;
  readonly role: Role;
};

/** A message's sender. */
export type AuditSenderDocument = {
  /** The message's id. */
  readonly _id: number;
  readonly senderId: number;
};
