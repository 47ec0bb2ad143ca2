import { z } from 'zod';
import { verifyEventHash } from '../../stores/event-store/event-hash.js';
import { jsonObjectSchema } from '../../kernel/json.js';
import { provesConsistency, provesInclusion, type TreeHead } from '../../stores/event-store/merkle/proofs.js';
import { leafOf } from '../../stores/event-store/merkle/hashing.js';
import {
  claimSchema,
  hashSchema,
  signatureShape,
  treeHeadSchema,
  wholeSchema,
  type Claim,
} from './signed-tree-head.js';

/** The place of an event as the signer claims it: the event's hash does not include its revision. */
const placeSchema = z.strictObject({ index: wholeSchema, stream: z.string(), revision: wholeSchema });

export const inclusionSchema = z.strictObject({
  /** Its index among all events, from 0. */
  index: wholeSchema,
  /** The event as it is stored. Its hash is computed from this. */
  event: z.strictObject({
    stream: z.string(),
    revision: wholeSchema,
    id: z.string(),
    type: z.string(),
    data: jsonObjectSchema,
    metadata: jsonObjectSchema,
  }),
  /** Proof that the event is at its index of the tree (RFC 6962, section 2.1.1). */
  proof: z.array(hashSchema),
});

/**
 * A proof bundle for outsiders: a signed tree head, the proof that an earlier bundle's log is the beginning of this
 * one's (RFC 6962), and stored events with the proofs that they are in the log. `docs/proofs.md` describes the format
 * for authors of verifiers.
 */
const heldEventsSchema = z.strictObject({
  format: z.literal('palimpsest-proof-bundle'),
  version: z.literal(1),
  claim: claimSchema.extend({
    /** The place of every event in the bundle, in the same order. */
    places: z.array(placeSchema),
  }),
  ...signatureShape,
  consistency: z.strictObject({ size: wholeSchema, root: hashSchema, proof: z.array(hashSchema) }).nullable(),
  inclusions: z.array(inclusionSchema),
});

/** A bundle, or its predecessor in earlier versions, whose head and consistency proof are still valid. */
export const proofBundleSchema = z.union([heldEventsSchema, treeHeadSchema]);

export type ProofBundle = z.infer<typeof heldEventsSchema>;
export type AnyProofBundle = z.infer<typeof proofBundleSchema>;
/** The fields that identify an event of the log. */
export type ProvenEvent = Pick<Inclusion['event'], 'id' | 'stream' | 'revision'>;
export type Inclusion = ProofBundle['inclusions'][number];
export type Consistency = NonNullable<ProofBundle['consistency']>;

/** The events that a bundle contains, without those that earlier versions only named. */
export function heldEvents(bundle: AnyProofBundle): readonly Inclusion[] {
  return bundle.format === 'palimpsest-proof-bundle' ? bundle.inclusions : [];
}

/**
 * What is wrong with the events of a bundle: one sentence for each that is not proven to be in its log at its place.
 */
export function inclusionFaults(bundle: AnyProofBundle): readonly string[] {
  if (bundle.format === 'palimpsest-proof-bundle') {
    const surplus = bundle.claim.places.length - bundle.inclusions.length;
    const missing = surplus > 0 ? [`${surplus} events that it was signed with are missing`] : [];
    return [...bundle.inclusions.flatMap((_one, number) => faultOf(bundle, number)), ...missing];
  }
  if (bundle.inclusions.length === 0) return [];
  return [
    `it names ${bundle.inclusions.length} events without holding them, as earlier versions did, and so proves none: make it anew`,
  ];
}

function faultOf({ claim, inclusions }: ProofBundle, number: number): readonly string[] {
  const inclusion = inclusions[number]!;
  const place = placeOf(inclusion);
  const signed = claim.places[number];
  if (signed?.index !== inclusion.index || `${signed.stream}@${signed.revision}` !== place)
    return [`whoever signed it did not say that event ${inclusion.index} is ${place}`];
  return inclusionFault(claim, inclusion) ?? [];
}

/** What is wrong with one event and its proof: one sentence, or none. The signer must have stated its place. */
export function inclusionFault(
  head: Pick<Claim, 'size' | 'root'>,
  inclusion: Inclusion,
): readonly [string] | null {
  const { index, event, proof } = inclusion;
  if (!verifyEventHash({ ...event, position: 0 }))
    return [`${placeOf(inclusion)} is not as it was written: its hash is another`];
  const proves = provesInclusion({ index, leaf: leafOf(event) }, treeOf(head), bytesOf(proof));
  return proves ? null : [`it does not prove that ${placeOf(inclusion)} is in the log`];
}

function placeOf({ event: { stream, revision } }: Inclusion): string {
  return `${stream}@${revision}`;
}

/** Whether the proof in a bundle shows that an earlier bundle's log is the beginning of this one's. */
export function isContinuationOf(later: AnyProofBundle, earlier: AnyProofBundle): boolean {
  const { consistency } = later;
  if (earlier.claim.size === later.claim.size) return earlier.claim.root === later.claim.root;
  if (consistency === null || consistency.size !== earlier.claim.size) return false;
  return provesConsistency(treeOf(earlier.claim), treeOf(later.claim), bytesOf(consistency.proof));
}

function treeOf({ size, root }: Pick<Claim, 'size' | 'root'>): TreeHead {
  return { size, root: Buffer.from(root, 'hex') };
}

function bytesOf(hashes: readonly string[]): readonly Buffer[] {
  return hashes.map((text) => Buffer.from(text, 'hex'));
}
