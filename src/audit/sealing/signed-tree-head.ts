import { sign, verify, type KeyObject } from 'node:crypto';
import { z } from 'zod';
import type { LogSealed } from '../../events/audit.js';
import { canonicalJson } from '../../stores/event-store/canonical-json.js';
import { publicKeyText, readPublicKey } from './signing-key.js';

export const hashSchema = z.string().regex(/^[0-9a-f]{64}$/);
export const wholeSchema = z.number().int().nonnegative();

/** What a tree head claims about a log. */
export const claimSchema = z.strictObject({
  organization: z.string(),
  /** The id of the event that created the organization; absent in what earlier versions signed. */
  organizationId: z.string().optional(),
  /** Number of events. */
  size: wholeSchema,
  /** Root of their Merkle tree: see {@link LogSealed}. */
  root: hashSchema,
  last: z.strictObject({ stream: z.string(), revision: wholeSchema, id: z.string() }).nullable(),
  /** When it was signed, ISO 8601. */
  statedAt: z.string(),
});

/** Ed25519 (RFC 8032) over the canonical JSON (RFC 8785) of a claim. The key is SPKI in DER; both are base64. */
export const signatureShape = { publicKey: z.string(), signature: z.string() };

const hash = hashSchema;

/**
 * A signed tree head alone, which is also the end of an export. The first version could name events that it claims to
 * be in the log; since it does not contain them, it proves nothing about them.
 */
export const treeHeadSchema = z.strictObject({
  format: z.literal('palimpsest-log-statement'),
  version: z.literal(1),
  claim: claimSchema,
  ...signatureShape,
  consistency: z.strictObject({ size: wholeSchema, root: hash, proof: z.array(hash) }).nullable(),
  inclusions: z.array(
    z.strictObject({
      index: wholeSchema,
      event: z.strictObject({
        stream: z.string(),
        revision: wholeSchema,
        id: z.string(),
        type: z.string(),
        hash,
      }),
      proof: z.array(hash),
    }),
  ),
});

export type SignedTreeHead = z.infer<typeof treeHeadSchema>;
export type Claim = z.infer<typeof claimSchema>;

/** A claim with its signature. */
type Signed<SignedClaim extends Claim = Claim> = { readonly claim: SignedClaim } & {
  readonly [Field in keyof typeof signatureShape]: string;
};

export function signClaim<SignedClaim extends Claim>(
  claim: SignedClaim,
  key: KeyObject,
): Signed<SignedClaim> {
  const signature = sign(null, Buffer.from(canonicalJson(claim)), key).toString('base64');
  return { claim, publicKey: publicKeyText(key), signature };
}

/** Signs a tree head without further claims. */
export function signTreeHead(claim: Claim, key: KeyObject): SignedTreeHead {
  const format = 'palimpsest-log-statement';
  return { format, version: 1, ...signClaim(claim, key), consistency: null, inclusions: [] };
}

/** Whether a claim was signed by the key that it contains, and was not changed since. */
export function isSigned({ claim, publicKey, signature }: Signed): boolean {
  try {
    const bytes = Buffer.from(canonicalJson(claim));
    return verify(null, bytes, readPublicKey(publicKey), Buffer.from(signature, 'base64'));
  } catch {
    // The key or the claim is invalid.
    return false;
  }
}

type Seal = z.infer<(typeof LogSealed)['schema']>;

/** The fields of a seal without its signature. */
export type SealedFacts = Omit<Seal, 'signature'>;

/** The bytes that the signature of a seal covers. */
export function sealInput({ size, root, peaks, last }: SealedFacts): Buffer {
  return Buffer.from(`palimpsest seal\n${canonicalJson({ size, root, peaks, last })}`);
}

/** Whether a seal was signed by the key that it contains. False for an unsigned seal. */
export function isSealSigned({ signature, ...said }: Seal): boolean {
  if (signature === null) return false;
  try {
    const value = Buffer.from(signature.value, 'base64');
    return verify(null, sealInput(said), readPublicKey(signature.publicKey), value);
  } catch {
    // The key is invalid.
    return false;
  }
}
