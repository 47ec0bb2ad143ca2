import type { ModelCommandsOptions } from '../operations/model-commands.js';
import { OperationRefusedError } from '../operations/dead-letters.js';
import type { ProjectionVerification } from '../operations/verify-projection.js';
import type { StoreConfiguration } from '../stores/store-configuration.js';
import { runThread } from './run-thread.js';

/** The input of the thread. */
export interface VerifyThreadData {
  readonly configuration: StoreConfiguration;
  readonly projection: string;
}

/** The thread's messages. */
export type VerifyThreadMessage =
  | { readonly type: 'progress'; readonly events: number }
  | { readonly type: 'done'; readonly verification: ProjectionVerification }
  /** A sentence for the operator. */
  | { readonly type: 'refused'; readonly reason: string };

const entry = new URL('./verify-thread.js', import.meta.url);

/** Compares a model with a rebuilt one in a separate thread with its own stores, so that requests are not blocked. */
export function verifyInThread(configuration: StoreConfiguration): ModelCommandsOptions['verify'] {
  return async (projection, report) => {
    const workerData: VerifyThreadData = { configuration, projection };
    const { outcome, fault } = await runThread<VerifyThreadMessage>(
      { entry, workerData },
      {
        onProgress: report,
      },
    );
    if (outcome?.type === 'done') return outcome.verification;
    if (outcome?.type === 'refused') throw new OperationRefusedError(outcome.reason);
    if (fault instanceof Error) throw fault;
    throw new Error('The thread that verified ended without an answer', { cause: fault });
  };
}
