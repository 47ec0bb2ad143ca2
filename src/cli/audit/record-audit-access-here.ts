import { OperatorAuditAccess } from '../../audit/commands/audit-access.js';
import type { AuditedAccess } from '../../audit/commands/audit-access.decide.js';
import type { Configuration } from '../../config.js';
import { SystemClock } from '../../runtime/system-clock.js';
import { FoldedStreams } from '../../stores/event-store/folded-streams.js';
import { withStoresHere } from '../with-stores.js';

/** Records an access to the log on the files, while no server runs. */
export function recordAuditAccessHere(
  configuration: Configuration,
  { access, operator }: { readonly access: AuditedAccess; readonly operator: string },
): Promise<void> {
  return withStoresHere(configuration, ({ log }) =>
    new OperatorAuditAccess(new FoldedStreams(log), new SystemClock()).record(access, operator),
  );
}
