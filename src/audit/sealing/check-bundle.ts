import type { EventMetadata } from '../../kernel/event.js';
import {
  heldEvents,
  inclusionFaults,
  isContinuationOf,
  proofBundleSchema,
  type AnyProofBundle,
} from './proof-bundle.js';
import { isSigned } from './signed-tree-head.js';
import { fingerprint } from './signing-key.js';

/** Parses the text of a proof bundle; null: it is not one. */
export function proofBundleIn(text: string): AnyProofBundle | null {
  try {
    return proofBundleSchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

/** What is wrong with a bundle's signature; null: nothing. */
export function signatureFault(bundle: AnyProofBundle, signer: string | undefined): string | null {
  if (!isSigned(bundle)) return 'its signature does not fit: it was changed after it was signed';
  const found = fingerprint(bundle.publicKey);
  if (signer === undefined || signer === found) return null;
  return `it was signed by ${found}, not by ${signer}`;
}

/** An event that a bundle contains, with its metadata and place. */
interface HeldEvent extends Pick<EventMetadata, 'at' | 'actorId'> {
  /** Its index among all events of the log, from 0. */
  readonly index: number;
  readonly stream: string;
  readonly revision: number;
  readonly type: string;
  readonly id: string;
  readonly hash: string;
}

/** The result of checking a bundle without the log. */
export interface CheckedBundle {
  readonly claim: AnyProofBundle['claim'];
  /** Fingerprint of the key that signed it. */
  readonly signer: string;
  /** Whether the caller said who must have signed it. Anybody can sign a log of their own. */
  readonly isSignerKnown: boolean;
  readonly events: readonly HeldEvent[];
  readonly faults: readonly string[];
}

/** What a bundle is compared with. */
interface BundleExpectation {
  /** An earlier bundle whose log must be the beginning of this one's; absent: not checked. */
  readonly earlier?: AnyProofBundle | null;
  /** Fingerprint of the key that must have signed both; absent: unknown. */
  readonly signer?: string | undefined;
}

/**
 * Checks a bundle without the log: its signature, the events that it contains, and that it continues an earlier one.
 */
export function checkBundle(
  bundle: AnyProofBundle,
  { earlier = null, signer }: BundleExpectation,
): CheckedBundle {
  const own = [signatureFault(bundle, signer), ...inclusionFaults(bundle)];
  const others = earlier === null ? [] : continuationFaults(bundle, earlier, signer);
  return {
    claim: bundle.claim,
    signer: fingerprint(bundle.publicKey),
    isSignerKnown: signer !== undefined,
    events: heldEvents(bundle).map(({ index, event: { stream, revision, type, id, metadata } }) => {
      const { at, actorId, hash } = metadata as Pick<EventMetadata, 'at' | 'actorId'> & { hash: string };
      return { index, stream, revision, type, id, at, actorId, hash };
    }),
    faults: [...own, ...others].filter((fault) => fault !== null),
  };
}

/** Both must be signed by the same key; otherwise anybody could claim to continue somebody else's log. */
function continuationFaults(
  bundle: AnyProofBundle,
  earlier: AnyProofBundle,
  signer: string | undefined,
): readonly string[] {
  const fault = signatureFault(earlier, signer ?? fingerprint(bundle.publicKey));
  return [
    ...(fault === null ? [] : [`of the earlier bundle: ${fault}`]),
    ...(isContinuationOf(bundle, earlier)
      ? []
      : ['it does not prove that the earlier bundle’s log begins its own: was it made with --since?']),
  ];
}
