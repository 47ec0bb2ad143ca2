import type { EventReference } from '../../projections/engine/poison-event.js';
import type { ReactorStatus } from '../../projections/engine/reactor-status.js';
import type { EventStore } from '../stores/event-store/port.js';
import { eventsBehind } from './projection-report.js';

/** The state of a reactor, for operators. */
export interface ReactorReport {
  readonly reactor: string;
  readonly state: ReactorStatus['state'];
  /** Position up to which everything was handled; null: this process does not know, or nothing was handled yet. */
  readonly checkpoint: number | null;
  /** How many of its events are not handled yet, at most `MAX_COUNTED`; null: this process does not know. */
  readonly lagEvents: number | null;
  /** How long it has been halted, in seconds. */
  readonly stoppedSeconds: number;
  readonly lastError: string | null;
  /** The event at which it is halted. */
  readonly poison: EventReference | null;
}

/** Reports the state of reactors. */
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
