import { hash } from 'node:crypto';
import { canonicalJson } from './canonical-json.js';
import type { PersistedEvent, StoredEvent } from './port.js';

/** What an event's hash covers: everything except its place, which seals cover. */
interface HashedEvent extends StoredEvent {
  readonly stream: string;
}

/**
 * SHA-256, hexadecimal, over the canonical JSON of `{ stream, type, id, data, metadata }`: data as stored (erasable fields are encrypted,
 * so erasing does not change the hash) and metadata without `hash` and `tag`.
 *
 * @param canonicalData the canonical JSON of the event's data, if the caller already has it
 */
export function eventHash(event: HashedEvent, canonicalData = canonicalJson(event.data)): string {
  const { hash: _hash, tag: _tag, ...metadata } = event.metadata;
  const id = canonicalJson(event.id);
  const type = canonicalJson(event.type);
  const stream = canonicalJson(event.stream);
  return hash(
    'sha256',
    `{"data":${canonicalData},"id":${id},"metadata":${canonicalJson(metadata)},"stream":${stream},"type":${type}}`,
  );
}

/** Whether an event is unchanged since it was written. Needs no keys, so it also works for erased events. */
export function verifyEventHash(event: PersistedEvent): boolean {
  try {
    return event.metadata['hash'] === eventHash(event);
  } catch {
    // Data without a canonical form cannot have been hashed.
    return false;
  }
}
