import type { EventLog } from './event-log.js';
import { EventStoreUnavailableError, type PersistedEvent } from './port.js';
import { KeyStoreUnavailableError } from '../key-store/port.js';
import type { RecordedEvent } from '../../kernel/event.js';
import type { JsonObject } from '../../kernel/json.js';

/** An event that cannot be read, with the data that the log still has. */
export interface UnreadableEvent extends Pick<
  PersistedEvent,
  'id' | 'type' | 'stream' | 'revision' | 'position'
> {
  /** As stored, in whatever shape. */
  readonly metadata: JsonObject;
  /** Why it cannot be read. */
  readonly unreadable: string;
}

/** An event of the log, whether it can be read or not. */
export type LoggedEvent = RecordedEvent | UnreadableEvent;

/** Decodes events as far as possible: an unreadable one keeps its place and does not affect others. */
export function decodeReadable(
  log: Pick<EventLog, 'decode'>,
  events: readonly PersistedEvent[],
): Promise<readonly LoggedEvent[]> {
  return decodeOrReplace(log, events, unreadable);
}

/** A log whose erasable fields stay placeholders, for {@link decodeReadable}. */
export function withoutDecrypting(log: Pick<EventLog, 'decodeWithoutDecrypting'>): Pick<EventLog, 'decode'> {
  return { decode: (events) => log.decodeWithoutDecrypting(events) };
}

/**
 * Decodes events one for one, with a replacement for each that cannot be read.
 *
 * @throws EventStoreUnavailableError, KeyStoreUnavailableError
 */
export async function decodeOrReplace<Replacement>(
  log: Pick<EventLog, 'decode'>,
  events: readonly PersistedEvent[],
  replace: (event: PersistedEvent, error: unknown) => Replacement,
): Promise<readonly (RecordedEvent | Replacement)[]> {
  try {
    return await log.decode(events);
  } catch (error) {
    rethrowOfStores(error);
  }
  const decoded: (RecordedEvent | Replacement)[] = [];
  for (const event of events) {
    try {
      decoded.push(...(await log.decode([event])));
    } catch (error) {
      rethrowOfStores(error);
      decoded.push(replace(event, error));
    }
  }
  return decoded;
}

export function isReadable(event: RecordedEvent | UnreadableEvent): event is RecordedEvent {
  return !('unreadable' in event);
}

function unreadable(event: PersistedEvent, error: unknown): UnreadableEvent {
  const { id, type, stream, revision, position, metadata } = event;
  const reason = error instanceof Error ? error.message : String(error);
  return { id, type, stream, revision, position, metadata, unreadable: reason };
}

function rethrowOfStores(error: unknown): void {
  if (error instanceof KeyStoreUnavailableError || error instanceof EventStoreUnavailableError) throw error;
}
