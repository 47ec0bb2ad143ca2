import type { Role } from '../../events/users.js';
import type { ModelDefinition } from '../../stores/read-store/port.js';

/** What auditors find events of the log by: ids, types and digests alone, and nothing that could be erased. */
export const auditIndexModel: ModelDefinition = {
  name: 'audit-index',
  version: 1,
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
  /** Its position. */
  readonly _id: number;
  readonly stream: string;
  readonly revision: number;
  /** When it was decided, in milliseconds since the UNIX epoch. */
  readonly at: number;
  /** What it is found by, a bounded number: see `facets.ts`. */
  readonly facets: readonly string[];
};

/** The role that somebody has. */
export type AuditRoleDocument = {
  /** The account's id. */
  readonly _id: number;
  readonly role: Role;
};

/** Who sent a message. */
export type AuditSenderDocument = {
  /** The message's id. */
  readonly _id: number;
  readonly senderId: number;
};
