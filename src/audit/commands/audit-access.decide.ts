import type { Snapshot } from '../../access/snapshot.js';
import { mayAudit } from '../../access/permissions.js';
import type { User } from '../../access/records/user.js';
import type { LogAudited } from '../../events/audit.js';
import { failure } from '../../kernel/errors.js';
import type { EventOf } from '../../kernel/event.js';

/** What is recorded about an access to the log. */
export type AuditRecord = EventOf<typeof LogAudited>['data'];

/** The part of the record that the reader determines. */
export type AuditedAccess = Omit<AuditRecord, 'userId' | 'operator'>;

/** @param operator account of the operating system, which may read everything */
export function decideOperatorAuditAccess(
  operator: string,
  audit: AuditedAccess,
): readonly EventOf<typeof LogAudited>[] {
  return [{ type: 'LogAudited', data: { userId: null, operator, ...audit } }];
}

/** @throws ApplicationError `insufficientPermission` */
export function decideAuditAccess(
  { actor, snapshot }: { readonly actor: User; readonly snapshot: Snapshot },
  audit: AuditedAccess,
): readonly EventOf<typeof LogAudited>[] {
  if (!mayAudit(snapshot, actor)) throw failure('insufficientPermission');
  return [{ type: 'LogAudited', data: { userId: actor.id, operator: null, ...audit } }];
}
