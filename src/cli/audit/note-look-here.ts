import { OperatorLooks } from '../../audit/commands/note-audit.js';
import type { LookedAt } from '../../audit/commands/audit-access.decide.js';
import type { Configuration } from '../../config.js';
import { SystemClock } from '../../runtime/system-clock.js';
import { FoldedStreams } from '../../stores/event-store/folded-streams.js';
import { withStoresHere } from '../with-stores.js';

/** Records a look at the log on the files, while no server runs. */
export function noteLookHere(
  configuration: Configuration,
  { look, operator }: { readonly look: LookedAt; readonly operator: string },
): Promise<void> {
  return withStoresHere(configuration, ({ log }) =>
    new OperatorLooks(new FoldedStreams(log), new SystemClock()).note(look, operator),
  );
}
