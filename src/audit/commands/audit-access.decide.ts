import type { Moment } from '../../access/moment.js';
import { mayAudit } from '../../access/permissions.js';
import type { User } from '../../access/records/user.js';
import type { LogAudited } from '../../events/audit.js';
import { failure } from '../../kernel/errors.js';
import type { EventOf } from '../../kernel/event.js';

/** What is recorded of an access to the log. */
export type Audit = EventOf<typeof LogAudited>['data'];

/** What of it whoever looks says. */
export type LookedAt = Omit<Audit, 'userId' | 'operator'>;

/** @throws ApplicationError `insufficientPermission` */
export function decideAudit(
  { actor, moment }: { readonly actor: User; readonly moment: Moment },
  audit: LookedAt,
): readonly EventOf<typeof LogAudited>[] {
  if (!mayAudit(moment, actor)) throw failure('insufficientPermission');
  return [{ type: 'LogAudited', data: { userId: actor.id, operator: null, ...audit } }];
}
