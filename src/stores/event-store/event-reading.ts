import type { AnyEventDefinition, EventMetadata, RecordedEvent } from '../../kernel/event.js';
import type { JsonObject } from '../../kernel/json.js';
import type { SealedRecord } from '../key-store/vault.js';
import { UnreadableEventError } from './codec-errors.js';
import type { PersistedEvent } from './port.js';

/** Id of the key that guards what is encrypted of an event; null: nothing is, or its metadata is malformed. */
export function keyIdOf({ metadata }: Pick<PersistedEvent, 'metadata'>): string | null {
  const key = metadata['key'];
  return typeof key === 'string' ? key : null;
}

/** Whether part of an event's data is encrypted. */
export function isSealed({ metadata }: PersistedEvent): boolean {
  return metadata['key'] !== undefined;
}

/**
 * The encrypted part of an event for which {@link isSealed} holds.
 *
 * @throws UnreadableEventError when it is malformed
 */
export function sealedRecordOf({ id, type, data, metadata }: PersistedEvent): SealedRecord {
  const { key: keyId } = metadata;
  const { sealed } = data;
  if (typeof keyId !== 'string' || typeof sealed !== 'string') {
    throw new UnreadableEventError(id, type, 'its encrypted content is malformed');
  }
  return { eventId: id, eventType: type, keyId, sealed: Buffer.from(sealed, 'base64') };
}

/** An event of which nothing is encrypted. */
export function readEvent(event: PersistedEvent, definition: AnyEventDefinition): RecordedEvent {
  return recorded(event, upcast(event, definition, event.data), false);
}

/** An event with the content that came out of its encrypted part. */
export function readSealedEvent(
  event: PersistedEvent,
  definition: AnyEventDefinition,
  content: Buffer,
): RecordedEvent {
  const { sealed: _sealed, ...clear } = event.data;
  const whole = { ...clear, ...(JSON.parse(content.toString('utf8')) as JsonObject) };
  return recorded(event, upcast(event, definition, whole), false);
}

/** An event without the content of its encrypted part, for readers that do not need it. */
export function readClearEvent(event: PersistedEvent, definition: AnyEventDefinition): RecordedEvent {
  return recorded(event, withPlaceholders(event, definition), false);
}

/** An event whose content can never be read again. */
export function readErasedEvent(event: PersistedEvent, definition: AnyEventDefinition): RecordedEvent {
  return recorded(event, withPlaceholders(event, definition), true);
}

/**
 * What is clear of an event's data. Placeholders stand for the rest both before upcasting, so that an upcast finds the members
 * that it knows, and after, so that it ends as the current version declares.
 */
function withPlaceholders(event: PersistedEvent, definition: AnyEventDefinition): JsonObject {
  const { sealed: _sealed, ...clear } = event.data;
  const placeholder = definition.erasable?.placeholder;
  const data = upcast(event, definition, { ...clear, ...placeholder });
  return { ...data, ...placeholder };
}

function recorded(event: PersistedEvent, data: JsonObject, erased: boolean): RecordedEvent {
  const { type, id, stream, revision, position } = event;
  return { type, data, id, stream, revision, position, metadata: eventMetadataOf(event.metadata), erased };
}

function upcast(event: PersistedEvent, definition: AnyEventDefinition, stored: JsonObject): JsonObject {
  const { version: known } = definition;
  const written = event.metadata['schemaVersion'];
  if (written === known) return stored;
  if (typeof written !== 'number') throw unreadable(event, 'it has no schema version');
  if (written > known) {
    throw unreadable(event, `it has version ${written}, written by a newer version; this one knows ${known}`);
  }
  let data = stored;
  for (let version = written; version < known; version++) {
    const step = definition.upcasts[version];
    if (step === undefined) throw unreadable(event, `nothing upcasts version ${version}`);
    data = step(data);
  }
  return data;
}

function unreadable({ id, type }: PersistedEvent, reason: string): UnreadableEventError {
  return new UnreadableEventError(id, type, reason);
}

/** What the codec wrote beside the data, without what is its own. */
export function eventMetadataOf(stored: JsonObject): EventMetadata {
  const { actorId, commandId, causationId, client, at } = stored as JsonObject & EventMetadata;
  return { actorId, commandId, causationId, client, at };
}
