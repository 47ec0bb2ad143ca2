import { hash } from 'node:crypto';
import { canonicalJson } from './canonical-json.js';
import type { PersistedEvent, StoredEvent } from './port.js';

/** What an event's hash speaks for: everything about it except its place, which seals speak for. */
export interface HashedEvent extends StoredEvent {
  readonly stream: string;
}

/**
 * SHA-256, hexadecimal, over the canonical JSON of `{ stream, type, id, data, metadata }`: data as stored (what is
 * erasable is in it only encrypted, so erasing changes nothing) and metadata without `hash` and `tag`.
 *
 * @param canonicalData the canonical JSON of the event's data, where the caller has it already
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

/** Whether an event is as it was written: it needs no keys, and holds for erased events too. */
export function verifyEventHash(event: PersistedEvent): boolean {
  try {
    return event.metadata['hash'] === eventHash(event);
  } catch {
    // What has no canonical form is not what was written.
    return false;
  }
}
