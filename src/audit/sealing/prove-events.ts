import { messagesStream, messageStream } from '../../events/messages.js';
import type { EventLog } from '../../stores/event-store/event-log.js';
import type { PersistedEvent } from '../../stores/event-store/port.js';
import { readMessageLife } from '../message-life.js';
import type { ArrivalBefore } from '../message-track.js';
import type { ProofBundle, ProvenEvent } from './proof-bundle.js';

/** Tells which events are to be proven. */
export type Proves = (event: PersistedEvent) => boolean;

/**
 * Finds the events that names mean: a message's number, with all that happened to it, moves too, which stand in the channel's stream; or
 * an event's id.
 */
export async function eventsToProve(
  log: EventLog,
  wanted: readonly string[],
  arrivalBefore: ArrivalBefore,
): Promise<Proves> {
  const ids = new Set<string>();
  for (const one of wanted.filter((name) => /^\d{1,15}$/.test(name))) {
    const life = await readMessageLife(log, Number(one), { arrivalBefore });
    for (const { eventId } of life?.steps ?? []) ids.add(eventId);
  }
  return (event) => ids.has(event.id) || isNamedBy(event, wanted);
}

/** An event that is named by its id; a message, by its number, with all that happened in its own stream. */
function isNamedBy({ id, stream, revision }: ProvenEvent, wanted: readonly string[]): boolean {
  return (
    wanted.includes(id) ||
    (stream === messagesStream && wanted.includes(String(revision + 1))) ||
    (stream.startsWith('message-') && wanted.some((one) => stream === messageStream(Number(one))))
  );
}

/** The first name of which a bundle proves nothing, since the log holds no such thing; undefined: there is none. */
export function unprovenIn({ inclusions }: ProofBundle, wanted: readonly string[]): string | undefined {
  return wanted.find((one) => !inclusions.some(({ event }) => isNamedBy(event, [one])));
}
