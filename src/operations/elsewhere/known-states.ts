import type { ReactorStatus } from '../../../projections/engine/reactor-status.js';
import { isKnown, type KnownModel } from '../projection-report.js';
import type { ReportedStates } from './kept-state.js';

/** What is known of models: of those that this process does not keep, what another one reported. */
export function modelsKnown(
  own: readonly KnownModel[],
  reported: Pick<ReportedStates, 'model'>,
): readonly KnownModel[] {
  return own.map((status) => {
    const other = isKnown(status) ? null : (reported.model(status.projection)?.status ?? null);
    if (other === null) return status;
    const { servedPosition } = status;
    const lagMilliseconds = Math.max(status.lagMilliseconds, other.lagMilliseconds);
    return { ...other, lagMilliseconds, servedPosition, isElsewhere: true };
  });
}

/** What is known of reactors: of those that this process does not run, what another one reported. */
export function reactorsKnown(
  own: readonly ReactorStatus[],
  reported: Pick<ReportedStates, 'reactor'>,
): readonly ReactorStatus[] {
  return own.map((status) =>
    status.state === 'standby' ? (reported.reactor(status.reactor)?.status ?? status) : status,
  );
}
