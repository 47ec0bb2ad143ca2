import type { ProofBundle } from '../sealing/proof-bundle.js';
import type { StoresReport, VerificationProgress } from '../verification/verify-stores.js';

/** A task that reads the whole log. */
export type ProofTask =
  | {
      readonly kind: 'verification';
      /** Text of a proof bundle with which the log is compared; null: none. */
      readonly kept: string | null;
    }
  | {
      readonly kind: 'bundle';
      /** A message whose events are proven; null: the bundle contains only a signed tree head. */
      readonly messageId: number | null;
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
