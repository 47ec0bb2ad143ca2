import type { PersistedEvent } from '../port.js';
import { leafHash } from './hashing.js';

/**
 * An event's leaf in the Merkle tree of the log: the hash of the 32 bytes of its own hash, which covers its stream, id, type, data and
 * metadata. Its index in the tree covers its place.
 */
export function leafOf({ metadata }: Pick<PersistedEvent, 'metadata'>): Buffer {
  const { hash } = metadata;
  // An event without a hash was tampered with, which verification reports.
  return leafHash(Buffer.from(typeof hash === 'string' ? hash : '', 'hex'));
}
