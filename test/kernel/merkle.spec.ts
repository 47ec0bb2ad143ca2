import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { MerkleFrontier } from '../../src/stores/event-store/merkle/frontier.js';
import { leafHash } from '../../src/stores/event-store/merkle/hashing.js';
import { MerkleLeaves } from '../../src/stores/event-store/merkle/leaves.js';
import { provesConsistency, provesInclusion } from '../../src/stores/event-store/merkle/proofs.js';

/** Inputs and roots from the reference tests of Certificate Transparency. */
const inputs = [
  '',
  '00',
  '10',
  '2021',
  '3031',
  '40414243',
  '5051525354555657',
  '606162636465666768696a6b6c6d6e6f',
].map((hex) => leafHash(Buffer.from(hex, 'hex')));

const roots = [
  'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
];

function leavesOf(hashes: readonly Buffer[]): MerkleLeaves {
  const leaves = new MerkleLeaves();
  hashes.forEach((hash) => leaves.append(hash));
  return leaves;
}

const manyHashes = Array.from({ length: 70 }, (_, index) => leafHash(Buffer.of(index)));
const manyLeaves = leavesOf(manyHashes);

/** Sizes of a tree and of an earlier state of it. */
const sizes = fc
  .tuple(fc.integer({ min: 1, max: manyHashes.length }), fc.integer({ min: 1, max: manyHashes.length }))
  .map(([one, other]) => [Math.min(one, other), Math.max(one, other)] as const);

describe('a Merkle tree', () => {
  it('has the roots that the reference of RFC 6962 has', () => {
    const leaves = leavesOf(inputs);
    expect(roots.map((_, size) => leaves.root(size).toString('hex'))).toEqual(roots);
  });

  it('has the same root leaf by leaf, and going on from any point', () => {
    fc.assert(
      fc.property(sizes, ([part, whole]) => {
        const first = MerkleFrontier.empty();
        manyHashes.slice(0, part).forEach((hash) => first.append(hash));
        const second = MerkleFrontier.of(first.size, first.peaks);
        manyHashes.slice(part, whole).forEach((hash) => second.append(hash));
        expect(second.root()).toEqual(manyLeaves.root(whole));
        expect(first.root()).toEqual(manyLeaves.root(part));
      }),
    );
  });

  it('cannot go on from another number of subtrees than its size has', () => {
    expect(() => MerkleFrontier.of(3, [leafHash(Buffer.of(1))])).toThrow(RangeError);
  });
});

describe('an inclusion proof', () => {
  it('proves its leaf at its index, and nothing else', () => {
    fc.assert(
      fc.property(sizes, fc.nat(), ([part, size], bit) => {
        const index = part - 1;
        const tree = { size, root: manyLeaves.root(size) };
        const leaf = manyHashes[index]!;
        const proof = manyLeaves.inclusionProof(index, size);
        expect(provesInclusion({ index, leaf }, tree, proof)).toBe(true);
        expect(provesInclusion({ index, leaf: leafHash(leaf) }, tree, proof)).toBe(false);
        expect(provesInclusion({ index: (index + 1) % size, leaf }, tree, proof)).toBe(size === 1);
        if (proof.length > 0) expect(provesInclusion({ index, leaf }, tree, flipped(proof, bit))).toBe(false);
      }),
    );
  });
});

describe('a consistency proof', () => {
  it('proves that one tree begins another, and no other tree', () => {
    fc.assert(
      fc.property(sizes, fc.nat(), ([part, whole], bit) => {
        const earlier = { size: part, root: manyLeaves.root(part) };
        const later = { size: whole, root: manyLeaves.root(whole) };
        const proof = manyLeaves.consistencyProof(part, whole);
        expect(provesConsistency(earlier, later, proof)).toBe(true);
        expect(provesConsistency({ ...earlier, root: leafHash(earlier.root) }, later, proof)).toBe(false);
        expect(provesConsistency(earlier, { ...later, root: leafHash(later.root) }, proof)).toBe(false);
        if (proof.length > 0) expect(provesConsistency(earlier, later, flipped(proof, bit))).toBe(false);
      }),
    );
  });
});

/** The same hashes with one bit inverted. */
function flipped(proof: readonly Buffer[], seed: number): readonly Buffer[] {
  const copies = proof.map((hash) => Buffer.from(hash));
  const hash = copies[seed % copies.length]!;
  hash[seed % hash.length]! ^= 1 << (seed % 8);
  return copies;
}
