import { nodeHash } from './hashing.js';

/** The size and root of a tree. */
export interface TreeHead {
  readonly size: number;
  readonly root: Buffer;
}

/** Whether a proof shows that a leaf (given by its hash) is at an index of a tree (RFC 9162, section 2.1.3.2). */
export function provesInclusion(
  { index, leaf }: { readonly index: number; readonly leaf: Buffer },
  { size, root }: TreeHead,
  proof: readonly Buffer[],
): boolean {
  if (index >= size) return false;
  let node = leaf;
  let [position, last] = [index, size - 1];
  for (const sibling of proof) {
    if (last === 0) return false;
    if (position % 2 === 1 || position === last) {
      node = nodeHash(sibling, node);
      while (position % 2 === 0 && position !== 0) [position, last] = [half(position), half(last)];
    } else {
      node = nodeHash(node, sibling);
    }
    [position, last] = [half(position), half(last)];
  }
  return last === 0 && node.equals(root);
}

/** Whether a proof shows that one tree is the beginning of another (RFC 9162, section 2.1.4.2). */
export function provesConsistency(earlier: TreeHead, later: TreeHead, proof: readonly Buffer[]): boolean {
  if (earlier.size > later.size) return false;
  if (earlier.size === later.size) return proof.length === 0 && earlier.root.equals(later.root);
  if (earlier.size === 0) return proof.length === 0;
  const path = isPowerOfTwo(earlier.size) ? [earlier.root, ...proof] : [...proof];
  const [first, ...rest] = path;
  if (first === undefined) return false;
  let [position, last] = [earlier.size - 1, later.size - 1];
  while (position % 2 === 1) [position, last] = [half(position), half(last)];
  let [before, after] = [first, first];
  for (const sibling of rest) {
    if (last === 0) return false;
    if (position % 2 === 1 || position === last) {
      before = nodeHash(sibling, before);
      after = nodeHash(sibling, after);
      while (position % 2 === 0 && position !== 0) [position, last] = [half(position), half(last)];
    } else {
      after = nodeHash(after, sibling);
    }
    [position, last] = [half(position), half(last)];
  }
  return last === 0 && before.equals(earlier.root) && after.equals(later.root);
}

function half(value: number): number {
  return Math.floor(value / 2);
}

function isPowerOfTwo(value: number): boolean {
  return Number.isInteger(Math.log2(value));
}
