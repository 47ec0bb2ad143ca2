import { emptyHash, HASH_BYTES, nodeHash } from './hashing.js';

/** The hashes of all leaves of a tree: 32 bytes each, for who makes proofs. */
export class MerkleLeaves {
  private hashes = Buffer.allocUnsafe(HASH_BYTES * 1024);
  private count = 0;

  get size(): number {
    return this.count;
  }

  append(leaf: Buffer): void {
    const at = this.count * HASH_BYTES;
    if (at === this.hashes.length) {
      const wider = Buffer.allocUnsafe(this.hashes.length * 2);
      this.hashes.copy(wider);
      this.hashes = wider;
    }
    leaf.copy(this.hashes, at);
    this.count += 1;
  }

  /** The root of the first `size` leaves. */
  root(size: number = this.count): Buffer {
    return this.subtree(0, size);
  }

  /** Proves that a leaf is at its index in the tree of the first `size` leaves (RFC 6962, section 2.1.1). */
  inclusionProof(index: number, size: number = this.count): readonly Buffer[] {
    this.assertWithin(index + 1, size);
    return this.path(index, { from: 0, size });
  }

  /** Proves that the tree of the first `earlier` leaves begins that of the first `size` (RFC 6962, section 2.1.2). */
  consistencyProof(earlier: number, size: number = this.count): readonly Buffer[] {
    this.assertWithin(earlier, size);
    return earlier === 0 ? [] : this.subproof(earlier, { from: 0, size }, true);
  }

  private path(index: number, { from, size }: Subtree): readonly Buffer[] {
    if (size === 1) return [];
    const half = widestHalf(size);
    if (index < half)
      return [...this.path(index, { from, size: half }), this.subtree(from + half, size - half)];
    const right = { from: from + half, size: size - half };
    return [...this.path(index - half, right), this.subtree(from, half)];
  }

  private subproof(earlier: number, { from, size }: Subtree, isWhole: boolean): readonly Buffer[] {
    if (earlier === size) return isWhole ? [] : [this.subtree(from, size)];
    const half = widestHalf(size);
    if (earlier <= half) {
      const left = this.subproof(earlier, { from, size: half }, isWhole);
      return [...left, this.subtree(from + half, size - half)];
    }
    const right = { from: from + half, size: size - half };
    return [...this.subproof(earlier - half, right, false), this.subtree(from, half)];
  }

  private subtree(from: number, size: number): Buffer {
    if (size === 0) return emptyHash();
    if (size === 1) return this.hashes.subarray(from * HASH_BYTES, (from + 1) * HASH_BYTES);
    const half = widestHalf(size);
    return nodeHash(this.subtree(from, half), this.subtree(from + half, size - half));
  }

  private assertWithin(part: number, size: number): void {
    if (part <= size && size <= this.count) return;
    throw new RangeError(`There are no ${part} of ${size} leaves among ${this.count}`);
  }
}

interface Subtree {
  readonly from: number;
  readonly size: number;
}

/** The largest power of two that is smaller than a size. */
function widestHalf(size: number): number {
  let half = 1;
  while (half * 2 < size) half *= 2;
  return half;
}
