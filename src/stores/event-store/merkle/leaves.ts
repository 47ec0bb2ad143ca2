import { emptyHash, HASH_BYTES, nodeHash } from './hashing.js';

/** The hashes of all leaves and complete subtrees, for making proofs: 64 bytes per leaf. */
export class MerkleLeaves {
  /** By height: the hashes of complete subtrees with 2^height leaves, in order. */
  private readonly levels: HashList[] = [new HashList()];

  get size(): number {
    return this.levels[0]!.count;
  }

  append(leaf: Buffer): void {
    let hash = leaf;
    for (let height = 0; ; height += 1) {
      const level = (this.levels[height] ??= new HashList());
      level.add(hash);
      if (level.count % 2 === 1) return;
      hash = nodeHash(level.at(level.count - 2), level.at(level.count - 1));
    }
  }

  /** The root of the first `size` leaves. */
  root(size: number = this.size): Buffer {
    return this.subtree(0, size);
  }

  /** Proves that a leaf is at its index in the tree of the first `size` leaves (RFC 6962, section 2.1.1). */
  inclusionProof(index: number, size: number = this.size): readonly Buffer[] {
    this.assertWithin(index + 1, size);
    return this.path(index, { from: 0, size });
  }

  /** Proves that the tree of the first `earlier` leaves is the beginning of that of the first `size` (RFC 6962, section 2.1.2). */
  consistencyProof(earlier: number, size: number = this.size): readonly Buffer[] {
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
    // A subtree begins at a multiple of its width, so a complete one is among the stored hashes.
    const height = Math.log2(size);
    if (Number.isInteger(height)) return this.levels[height]!.at(from / size);
    const half = widestHalf(size);
    return nodeHash(this.subtree(from, half), this.subtree(from + half, size - half));
  }

  private assertWithin(part: number, size: number): void {
    if (part <= size && size <= this.size) return;
    throw new RangeError(`There are no ${part} of ${size} leaves among ${this.size}`);
  }
}

/** A growing array of hashes. */
class HashList {
  private bytes = Buffer.allocUnsafe(HASH_BYTES * 16);
  count = 0;

  add(hash: Buffer): void {
    const at = this.count * HASH_BYTES;
    if (at === this.bytes.length) {
      const wider = Buffer.allocUnsafe(this.bytes.length * 2);
      this.bytes.copy(wider);
      this.bytes = wider;
    }
    hash.copy(this.bytes, at);
    this.count += 1;
  }

  at(index: number): Buffer {
    return this.bytes.subarray(index * HASH_BYTES, (index + 1) * HASH_BYTES);
  }
}

interface Subtree {
  readonly from: number;
  readonly size: number;
}

/** The largest power of two below a size. */
function widestHalf(size: number): number {
  let half = 1;
  while (half * 2 < size) half *= 2;
  return half;
}
