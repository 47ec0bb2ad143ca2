import type { ProofBundle } from '../sealing/proof-bundle.js';
import type { StoresReport, VerificationProgress } from '../verification/verify-stores.js';

/** Something that reads the whole log. */
export type ProofWork =
  | {
      readonly kind: 'verification';
      /** Text of a proof bundle that somebody kept, which the log is compared with; null: none. */
      readonly kept: string | null;
    }
  | {
      readonly kind: 'bundle';
      /** A message whose events it proves; null: it is a signed tree head alone. */
      readonly messageId: number | null;
      /** Text of an earlier bundle, whose log it proves to begin this one; null: none. */
      readonly earlier: string | null;
    };

/** What such a work comes to. */
export type ProofResult =
  | { readonly kind: 'verification'; readonly report: StoresReport }
  | { readonly kind: 'bundle'; readonly bundle: ProofBundle };

/** How it is followed. */
export interface ProofFollowing {
  /** Aborted when it is to end. */
  readonly signal: AbortSignal;
  readonly onProgress: (progress: VerificationProgress) => void;
}

/**
 * Does a work, off the thread that answers requests.
 *
 * @throws OperatorError with a sentence for who asked, where it cannot be done
 */
export type DoProofWork = (work: ProofWork, following: ProofFollowing) => Promise<ProofResult>;
