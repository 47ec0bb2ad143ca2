import type { ProofBundle } from '../sealing/proof-bundle.js';
import type { StoresReport, VerificationProgress } from '../verification/verify-stores.js';

/** What a bundle proves: all events of a message, or one event. */
export type ProofSubject =
  { readonly kind: 'message'; readonly id: number } | { readonly kind: 'event'; readonly id: string };

/** A task that reads the whole log. */
export type ProofTask =
  | {
      readonly kind: 'verification';
      /** Text of a proof bundle with which the log is compared; null: none. */
      readonly kept: string | null;
    }
  | {
      readonly kind: 'bundle';
      /** What is proven to be in the log; null: the bundle contains only a signed tree head. */
      readonly subject: ProofSubject | null;
      /** Text of an earlier bundle: the new one proves that it continues that bundle's log. Null: none. */
      readonly earlier: string | null;
    };

/** The result of a task. */
export type ProofResult =
  | { readonly kind: 'verification'; readonly report: StoresReport }
  | { readonly kind: 'bundle'; readonly bundle: ProofBundle };

/** How progress is reported, and how the task is aborted. */
interface ProofRun {
  /** Aborts the task. */
  readonly signal: AbortSignal;
  readonly onProgress: (progress: VerificationProgress) => void;
}

/**
 * Does the task outside the thread that answers requests.
 *
 * @throws OperatorError with a sentence for the caller, when it cannot be done
 */
export type RunProofTask = (task: ProofTask, run: ProofRun) => Promise<ProofResult>;
