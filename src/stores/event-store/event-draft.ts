import type { AnyEventDefinition, DomainEvent, EventMetadata } from '../../kernel/event.js';
import type { JsonObject } from '../../kernel/json.js';
import type { PlainRecord } from '../key-store/vault.js';
import { canonicalJson } from './canonical-json.js';
import { InvalidEventError } from './codec-errors.js';
import { eventHash } from './event-hash.js';
import type { StoredEvent } from './port.js';

/** A validated event whose erasable fields are separated but not yet encrypted. */
export interface EventDraft {
  readonly id: string;
  readonly type: string;
  readonly schemaVersion: number;
  /** The unencrypted part. */
  readonly clear: JsonObject;
  /** Null: the event has no erasable fields, or none of them has a value. */
  readonly record: PlainRecord | null;
}

/** @throws InvalidEventError when the data does not match the definition */
export function draftEvent(definition: AnyEventDefinition, event: DomainEvent, id: string): EventDraft {
  const { type, version: schemaVersion, schema } = definition;
  const { error } = schema.safeParse(event.data);
  if (error !== undefined) {
    const issues = error.issues.map(({ path, code }) => `${path.join('.') || 'data'}: ${code}`);
    throw new InvalidEventError(type, issues.join('; '));
  }
  return { id, type, schemaVersion, ...separateErasable(definition, event.data as JsonObject, id) };
}

function separateErasable(
  { type, erasable }: AnyEventDefinition,
  data: JsonObject,
  id: string,
): Pick<EventDraft, 'clear' | 'record'> {
  if (erasable === undefined) return { clear: data, record: null };
  const clear: Record<string, unknown> = { ...data };
  const content: Record<string, unknown> = {};
  for (const field of erasable.fields) {
    content[field] = clear[field];
    delete clear[field];
  }
  if (Object.values(content).every((value) => value === undefined))
    return { clear: clear as JsonObject, record: null };
  const keyId = erasable.key?.(data) ?? id;
  const owner = erasable.owner(data);
  const record = { eventId: id, eventType: type, keyId, owner, content: JSON.stringify(content) };
  return { clear: clear as JsonObject, record };
}

/** The place and the metadata of a draft. */
interface Destination {
  readonly stream: string;
  readonly metadata: EventMetadata;
  /** Makes the tag from the public hash; null: the event gets no tag. */
  readonly tagOf: ((hash: string) => string) | null;
}

/** A stored event and the size of its data. */
export interface SizedEvent {
  readonly event: StoredEvent;
  /** Size of the data as JSON in UTF-8, in bytes. */
  readonly bytes: number;
}

/**
 * Completes a draft.
 *
 * @param sealed the encrypted erasable fields, base64; null: there are none
 * @throws InvalidEventError when the unencrypted part has no canonical form, such as a lone surrogate
 */
export function finishEvent(
  draft: EventDraft,
  sealed: string | null,
  { stream, metadata, tagOf }: Destination,
): SizedEvent {
  const { id, type, clear, record, schemaVersion } = draft;
  const data = sealed === null ? clear : { ...clear, sealed };
  const canonicalData = canonicalOf(type, data);
  const { actorId, commandId, causationId, client, at } = metadata;
  const hashed = {
    actorId,
    commandId,
    causationId,
    client,
    at,
    schemaVersion,
    ...(record && { key: record.keyId }),
  };
  const hash = eventHash({ stream, id, type, data, metadata: hashed }, canonicalData);
  return {
    event: { id, type, data, metadata: { ...hashed, hash, ...(tagOf && { tag: tagOf(hash) }) } },
    bytes: Buffer.byteLength(canonicalData),
  };
}

function canonicalOf(type: string, data: JsonObject): string {
  try {
    return canonicalJson(data);
  } catch (error) {
    throw new InvalidEventError(type, error instanceof TypeError ? error.message : 'its data is not JSON');
  }
}
