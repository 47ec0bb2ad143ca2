import { MESSAGES_STREAM, messageStream } from '../../events/messages.js';
import type { EventLog } from '../../stores/event-store/event-log.js';
import type { PersistedEvent } from '../../stores/event-store/port.js';
import { readMessageTimeline } from '../message-timeline/message-timeline.js';
import type { PlacementBefore } from '../message-timeline/message-track.js';
import type { ProofBundle, ProvenEvent } from './proof-bundle.js';
import { idAtRevision } from '../../kernel/ids.js';

/** Whether an event is to be proven. */
type Proves = (event: PersistedEvent) => boolean;

/**
 * Returns a test for the events that are meant by an event's id, or by a message's number. The latter means the
 * message's whole history, including moves, which are in the channel's stream.
 */
export async function eventsToProve(
  log: EventLog,
  wanted: readonly string[],
  placementBefore: PlacementBefore,
): Promise<Proves> {
  const ids = new Set<string>();
  for (const one of wanted.filter((name) => /^\d{1,15}$/.test(name))) {
    const timeline = await readMessageTimeline(log, Number(one), { placementBefore });
    for (const { eventId } of timeline?.steps ?? []) ids.add(eventId);
  }
  return (event) => ids.has(event.id) || isNamedBy(event, wanted);
}

/**
 * Whether an event is named by its id, or is the sending of a message named by its number or in that message's own
 * stream.
 */
function isNamedBy({ id, stream, revision }: ProvenEvent, wanted: readonly string[]): boolean {
  return (
    wanted.includes(id) ||
    (stream === MESSAGES_STREAM && wanted.includes(String(idAtRevision(revision)))) ||
    (stream.startsWith('message-') && wanted.some((one) => stream === messageStream(Number(one))))
  );
}

/** The first name for which a bundle contains no event, because the log has none; undefined: there is no such name. */
export function unprovenIn({ inclusions }: ProofBundle, wanted: readonly string[]): string | undefined {
  return wanted.find((one) => !inclusions.some(({ event }) => isNamedBy(event, [one])));
}
