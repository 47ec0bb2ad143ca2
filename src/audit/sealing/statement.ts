import { sign, verify, type KeyObject } from 'node:crypto';
import { z } from 'zod';
import { canonicalJson } from '../../event-store/canonical-json.js';
import { provesConsistency, provesInclusion, type TreeHead } from '../merkle/proofs.js';
import { leafHash } from '../merkle/hashing.js';
import { publicKeyText, readPublicKey } from './signing-key.js';

const hash = z.string().regex(/^[0-9a-f]{64}$/);
const size = z.number().int().nonnegative();

/** What somebody vouches for: the log as it was. */
const claimSchema = z.strictObject({
  organization: z.string(),
  /** How many events there were. */
  size,
  /** Root of their Merkle tree: see {@link LogSealed}. */
  root: hash,
  last: z.strictObject({ stream: z.string(), revision: size, id: z.string() }).nullable(),
  /** When it was stated, ISO 8601. */
  statedAt: z.string(),
});

const inclusionSchema = z.strictObject({
  index: size,
  event: z.strictObject({ stream: z.string(), revision: size, id: z.string(), type: z.string(), hash }),
  proof: z.array(hash),
});

/**
 * A statement about a log, for whoever is to hold it: signed with Ed25519 (RFC 8032) over the canonical JSON (RFC 8785) of
 * `claim`. The proofs (RFC 6962) prove themselves: that an earlier statement's log begins this one, and that events are in it.
 */
export const statementSchema = z.strictObject({
  format: z.literal('palimpsest-log-statement'),
  version: z.literal(1),
  claim: claimSchema,
  publicKey: z.string(),
  signature: z.string(),
  consistency: z.strictObject({ size, root: hash, proof: z.array(hash) }).nullable(),
  inclusions: z.array(inclusionSchema),
});

export type Statement = z.infer<typeof statementSchema>;
export type Claim = Statement['claim'];
export type Inclusion = Statement['inclusions'][number];

/** Signs a claim. */
export function state(
  claim: Claim,
  proofs: Pick<Statement, 'consistency' | 'inclusions'>,
  key: KeyObject,
): Statement {
  const signature = sign(null, Buffer.from(canonicalJson(claim)), key).toString('base64');
  const publicKey = publicKeyText(key);
  return { format: 'palimpsest-log-statement', version: 1, claim, publicKey, signature, ...proofs };
}

/** Whether a statement was signed by the key that it carries, and not changed since. */
export function isSigned({ claim, publicKey, signature }: Statement): boolean {
  try {
    const bytes = Buffer.from(canonicalJson(claim));
    return verify(null, bytes, readPublicKey(publicKey), Buffer.from(signature, 'base64'));
  } catch {
    // A key or a claim that makes no sense has signed nothing.
    return false;
  }
}

/** Whether the proof in a statement shows that the log of an earlier one begins its own. */
export function isContinuationOf(later: Statement, earlier: Statement): boolean {
  const { consistency } = later;
  if (earlier.claim.size === later.claim.size) return earlier.claim.root === later.claim.root;
  if (consistency === null || consistency.size !== earlier.claim.size) return false;
  return provesConsistency(treeOf(earlier.claim), treeOf(later.claim), bytesOf(consistency.proof));
}

/** Whether the proof in a statement shows that an event is in its log. */
export function isIncluded({ index, event, proof }: Inclusion, claim: Claim): boolean {
  const leaf = leafHash(Buffer.from(event.hash, 'hex'));
  return provesInclusion({ index, leaf }, treeOf(claim), bytesOf(proof));
}

function treeOf({ size, root }: Pick<Claim, 'size' | 'root'>): TreeHead {
  return { size, root: Buffer.from(root, 'hex') };
}

function bytesOf(hashes: readonly string[]): readonly Buffer[] {
  return hashes.map((text) => Buffer.from(text, 'hex'));
}
