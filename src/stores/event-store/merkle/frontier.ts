import { emptyHash, nodeHash } from './hashing.js';

/**
 * The part of a Merkle tree (RFC 6962) that is needed to append leaves and compute the root: the roots of its complete subtrees, widest
 * first, one for each 1 bit of its size.
 */
export class MerkleFrontier {
  private constructor(
    private count: number,
    private readonly roots: Buffer[],
  ) {}

  static empty(): MerkleFrontier {
    return new MerkleFrontier(0, []);
  }

  /**
   * Continues a tree.
   *
   * @throws RangeError when the number of subtrees does not match the size
   */
  static of(size: number, peaks: readonly Buffer[]): MerkleFrontier {
    if (peaks.length !== bitsIn(size)) {
      throw new RangeError(
        `A tree of ${size} leaves has ${bitsIn(size)} complete subtrees, not ${peaks.length}`,
      );
    }
    return new MerkleFrontier(size, [...peaks]);
  }

  get size(): number {
    return this.count;
  }

  get peaks(): readonly Buffer[] {
    return this.roots;
  }

  /** @param leaf the leaf's hash */
  append(leaf: Buffer): void {
    let node = leaf;
    for (let rest = this.count; rest % 2 === 1; rest = (rest - 1) / 2)
      node = nodeHash(this.roots.pop()!, node);
    this.roots.push(node);
    this.count += 1;
  }

  root(): Buffer {
    const narrowest = this.roots.at(-1);
    if (narrowest === undefined) return emptyHash();
    return this.roots.slice(0, -1).reduceRight((right, left) => nodeHash(left, right), narrowest);
  }
}

function bitsIn(size: number): number {
  let bits = 0;
  for (let rest = size; rest > 0; rest = Math.floor(rest / 2)) bits += rest % 2;
  return bits;
}
