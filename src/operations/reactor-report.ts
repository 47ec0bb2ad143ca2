import type { EventReference } from '../../projections/engine/poison-event.js';
import type { ReactorStatus } from '../../projections/engine/reactor-status.js';
import type { EventStore } from '../stores/event-store/port.js';
import { eventsBehind } from './projection-report.js';

/** How a reactor is doing, for operators. */
export interface ReactorReport {
  readonly reactor: string;
  readonly state: ReactorStatus['state'];
  /** Everything up to here was acted on; null: not known here, or nothing was. */
  readonly checkpoint: number | null;
  /** How many of its events it has yet to pass, at most `MAX_COUNTED`; null: not known here. */
  readonly lagEvents: number | null;
  /** For how long it has stood still. */
  readonly stoppedSeconds: number;
  readonly lastError: string | null;
  /** The event that it stands before. */
  readonly poison: EventReference | null;
}

/** Looks at reactors. */
export function reportReactors(
  store: EventStore,
  reactors: readonly ReactorStatus[],
): Promise<readonly ReactorReport[]> {
  return Promise.all(
    reactors.map(async ({ reactor, state, position, types, stoppedMilliseconds, stoppage }) => ({
      reactor,
      state,
      checkpoint: position,
      lagEvents: state === 'standby' ? null : (await eventsBehind(types, position, store)).count,
      stoppedSeconds: stoppedMilliseconds / 1000,
      lastError: stoppage?.reason ?? null,
      poison: stoppage?.event ?? null,
    })),
  );
}
