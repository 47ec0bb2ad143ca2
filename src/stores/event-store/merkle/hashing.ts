import { createHash } from 'node:crypto';
import type { PersistedEvent } from '../port.js';

/** Bytes of a hash. */
export const HASH_BYTES = 32;

/** The hash of a leaf (RFC 6962, section 2.1): SHA-256 of a zero byte and the leaf. */
export function leafHash(leaf: Uint8Array): Buffer {
  return createHash('sha256').update(leafPrefix).update(leaf).digest();
}

/** The hash of an inner node (RFC 6962, section 2.1): SHA-256 of a one byte and both halves. */
export function nodeHash(left: Uint8Array, right: Uint8Array): Buffer {
  return createHash('sha256').update(nodePrefix).update(left).update(right).digest();
}

/** The hash of an empty tree: SHA-256 of nothing. */
export function emptyHash(): Buffer {
  return createHash('sha256').digest();
}

const leafPrefix = Buffer.of(0);
const nodePrefix = Buffer.of(1);

/**
 * An event's leaf in the Merkle tree of the log: the hash of the 32 bytes of its own hash, which covers its stream, id, type, data and
 * metadata. Its index in the tree covers its place.
 */
export function leafOf({ metadata }: Pick<PersistedEvent, 'metadata'>): Buffer {
  const { hash } = metadata;
  // An event without a hash was tampered with, which verification reports.
  return leafHash(Buffer.from(typeof hash === 'string' ? hash : '', 'hex'));
}
