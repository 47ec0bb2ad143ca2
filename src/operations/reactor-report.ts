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

/** How far a reactor is behind the log. */
interface ReactorLag {
  readonly reactor: string;
  /** How long the first of its events that it has not handled has been in the log; null: this process does not know. */
  readonly seconds: number | null;
}

/**
 * How far reactors are behind the log. For each one that is behind, one event is read.
 *
 * @param now in milliseconds since the UNIX epoch
 */
export async function reactorLags(
  store: EventStore,
  reactors: readonly ReactorStatus[],
  now: number,
): Promise<readonly ReactorLag[]> {
  const head = (await store.head()) ?? -1;
  return Promise.all(
    reactors.map(async (status) => ({
      reactor: status.reactor,
      seconds: status.state === 'standby' ? null : await secondsBehind(status, { store, head, now }),
    })),
  );
}

async function secondsBehind(
  { position, types }: ReactorStatus,
  { store, head, now }: { readonly store: EventStore; readonly head: number; readonly now: number },
): Promise<number | null> {
  if ((position ?? -1) >= head) return 0;
  for await (const { events } of store.readAll({ after: position, types, pageSize: 1 })) {
    const [first] = events;
    if (first === undefined) continue;
    const { at } = first.metadata;
    return typeof at === 'number' ? Math.max(0, now - at) / 1000 : null;
  }
  return 0;
}
