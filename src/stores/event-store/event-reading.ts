import type { AnyEventDefinition, EventMetadata, RecordedEvent } from '../../kernel/event.js';
import type { JsonObject } from '../../kernel/json.js';
import type { EncryptedRecord } from '../key-store/vault.js';
import { UnreadableEventError } from './codec-errors.js';
import type { PersistedEvent } from './port.js';

/** Id of the key of an event's encrypted part; null: it has none, or its metadata is malformed. */
export function keyIdOf({ metadata }: Pick<PersistedEvent, 'metadata'>): string | null {
  const key = metadata['key'];
  return typeof key === 'string' ? key : null;
}

/** Whether an event has an encrypted part. */
export function isEncrypted({ metadata }: PersistedEvent): boolean {
  return metadata['key'] !== undefined;
}

/**
 * The encrypted part of an event for which {@link isEncrypted} is true.
 *
 * @throws UnreadableEventError when it is malformed
 */
export function encryptedRecordOf({ id, type, data, metadata }: PersistedEvent): EncryptedRecord {
  const { key: keyId } = metadata;
  const { sealed } = data;
  if (typeof keyId !== 'string' || typeof sealed !== 'string') {
    throw new UnreadableEventError(id, type, 'its encrypted content is malformed');
  }
  return { eventId: id, eventType: type, keyId, sealed: Buffer.from(sealed, 'base64') };
}

/** Reads an event without an encrypted part. */
export function readEvent(event: PersistedEvent, definition: AnyEventDefinition): RecordedEvent {
  return recorded(event, upcast(event, definition, event.data), false);
}

/** Reads an event together with its decrypted part. */
export function readDecryptedEvent(
  event: PersistedEvent,
  definition: AnyEventDefinition,
  content: Buffer,
): RecordedEvent {
  const { sealed: _sealed, ...clear } = event.data;
  const whole = { ...clear, ...(JSON.parse(content.toString('utf8')) as JsonObject) };
  return recorded(event, upcast(event, definition, whole), false);
}

/** Reads an event without its encrypted part, for readers that do not need it. */
export function readClearEvent(event: PersistedEvent, definition: AnyEventDefinition): RecordedEvent {
  return recorded(event, withPlaceholders(event, definition), false);
}

/** Reads an event whose key was destroyed. */
export function readErasedEvent(event: PersistedEvent, definition: AnyEventDefinition): RecordedEvent {
  return recorded(event, withPlaceholders(event, definition), true);
}

/**
 * The unencrypted data with placeholders. They are added before upcasting, because an upcast expects the members of its version, and again
 * after it, so that the result has those of the current version.
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

/** The metadata without the codec's own members. */
export function eventMetadataOf(stored: JsonObject): EventMetadata {
  const { actorId, commandId, causationId, client, at } = stored as JsonObject & EventMetadata;
  return { actorId, commandId, causationId, client, at };
}
