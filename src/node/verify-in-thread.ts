import type { ModelCommandsOptions } from '../operations/model-commands.js';
import { OperationRefusedError } from '../operations/dead-letters.js';
import type { ProjectionVerification } from '../operations/verify-projection.js';
import type { StoreConfiguration } from '../stores/store-configuration.js';
import { runThread } from './run-thread.js';
import type { OperatorRefusal, ThreadTaskMessage } from './task-thread.js';

/** The input of the thread. */
export interface VerifyThreadData {
  readonly configuration: StoreConfiguration;
  readonly projection: string;
}

/** How far the comparison is. */
export interface VerifyProgress {
  /** The number of events applied to the rebuilt model. */
  readonly events: number;
}

/** The thread's messages. */
type VerifyThreadMessage = ThreadTaskMessage<VerifyProgress, ProjectionVerification, OperatorRefusal>;

const entry = new URL('./verify-thread.js', import.meta.url);

/** Compares a model with a rebuilt one in a separate thread with its own stores, so that requests are not blocked. */
export function verifyInThread(configuration: StoreConfiguration): ModelCommandsOptions['verify'] {
  return async (projection, report) => {
    const workerData: VerifyThreadData = { configuration, projection };
    const { outcome, fault } = await runThread<VerifyThreadMessage>(
      { entry, workerData },
      {
        onProgress: ({ progress }) => report(progress),
      },
    );
    if (outcome?.type === 'done') return outcome.result;
    if (outcome?.type === 'refused') throw new OperationRefusedError(outcome.reason);
    if (fault instanceof Error) throw fault;
    throw new Error('The thread that verified ended without an answer', { cause: fault });
  };
}
