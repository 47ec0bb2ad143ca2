import type { EventStore, PersistedEvent } from '../../stores/event-store/port.js';
import type { PastMoment } from '../moment.js';
import { CLOCKS_AGREE_WITHIN } from '../clocks.js';
import { sealBefore, sealBeforeTime } from '../sealing/seal-before.js';

/** The last event of a moment. */
export interface EventAt {
  readonly position: number;
  /** When it was decided, in milliseconds since the UNIX epoch. */
  readonly at: number;
}

/** How it is looked for. */
export interface LookForEvent {
  readonly onProgress?: (position: number) => void;
  /** An event behind which it is looked for, since it is known not to lie before; absent: a seal is taken. */
  readonly after?: number | null;
}

/**
 * The last event that was decided at a time or before, or that stands at a position or before.
 *
 * @returns null when there is none
 */
export function lastEventAt(
  store: EventStore,
  moment: PastMoment,
  look: LookForEvent = {},
): Promise<EventAt | null> {
  return 'time' in moment
    ? lastDecidedBy(store, moment.time, look)
    : lastStandingBy(store, moment.position, look);
}

async function lastDecidedBy(
  store: EventStore,
  time: number,
  { onProgress = () => {}, after: known }: LookForEvent,
): Promise<EventAt | null> {
  let found: EventAt | null = null;
  const after = known ?? (await including(store, await sealBeforeTime(store, time - CLOCKS_AGREE_WITHIN)));
  for await (const { events, position } of store.readAll({ after })) {
    let earliest = Infinity;
    for (const event of events) {
      const at = decidedAt(event);
      earliest = Math.min(earliest, at);
      if (at <= time) found = { position: event.position, at };
    }
    if (events.length > 0 && earliest > time + CLOCKS_AGREE_WITHIN) break;
    onProgress(position);
  }
  return found;
}

async function lastStandingBy(
  store: EventStore,
  position: number,
  { onProgress = () => {}, after: known }: LookForEvent,
): Promise<EventAt | null> {
  let found: EventAt | null = null;
  const after = known ?? (await including(store, await sealBefore(store, position)));
  for await (const page of store.readAll({ after })) {
    onProgress(page.position);
    for (const event of page.events) {
      if (event.position <= position) found = { position: event.position, at: decidedAt(event) };
    }
    if (page.position >= position) break;
  }
  return found;
}

/** Where to read from so that a seal is read itself: nothing else may stand between it and what is looked for. */
async function including(store: EventStore, seal: number | null): Promise<number | null> {
  return seal === null ? null : sealBefore(store, seal);
}

function decidedAt({ metadata }: PersistedEvent): number {
  return Number(metadata['at']);
}
