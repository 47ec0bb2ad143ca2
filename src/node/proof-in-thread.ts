import type { RunProofTask, ProofResult, ProofTask } from '../audit/proofs/proof-task.js';
import type { VerificationProgress } from '../audit/verification/verify-stores.js';
import type { Configuration } from '../config.js';
import type { Logger } from '../../projections/engine/logger.js';
import { OperatorError } from '../kernel/errors.js';
import { runThread } from './run-thread.js';
import type { OperatorRefusal, ThreadTaskMessage } from './task-thread.js';

/** The input of the thread. */
export interface ProofThreadData {
  readonly configuration: Configuration;
  readonly task: ProofTask;
}

/** The thread's messages. */
type ProofThreadMessage = ThreadTaskMessage<VerificationProgress, ProofResult, OperatorRefusal>;

/** A request that cannot be fulfilled. The message is a sentence for the requester. */
class ProofRefusedError extends OperatorError {
  override readonly name = 'ProofRefusedError';
}

/** The thread's heap contains the last revision of every stream and 16 bytes for each id. */
const resourceLimits = { maxOldGenerationSizeMb: 768, maxYoungGenerationSizeMb: 16 };

/** Verifies the log and makes proofs in a separate thread, which opens its own stores and closes them when it ends. */
export function proofInThread(configuration: Configuration, logger: Pick<Logger, 'error'>): RunProofTask {
  return async (task, { signal, onProgress }) => {
    const workerData: ProofThreadData = { configuration, task };
    const { outcome, fault } = await runThread<ProofThreadMessage>(
      { entry: new URL('./proof-thread.js', import.meta.url), workerData, resourceLimits },
      {
        signal,
        onProgress: ({ progress }) => onProgress(progress),
      },
    );
    if (outcome?.type === 'done') return outcome.result;
    if (outcome?.type === 'refused') throw new ProofRefusedError(outcome.reason);
    const error = new Error('The thread that read the log ended without an answer', { cause: fault });
    if (!signal.aborted) logger.error({ err: error }, 'a proof was not made');
    throw error;
  };
}
