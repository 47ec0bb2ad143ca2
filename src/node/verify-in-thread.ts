import { Worker } from 'node:worker_threads';
import type { ProjectionVerification } from '../operations/verify-projection.js';
import { OperationRefusedError } from '../operations/projection-operations.js';
import type { StoreConfiguration } from '../stores/stores.js';

/** What the thread is started with. */
export interface VerifyThreadData {
  readonly configuration: StoreConfiguration;
  readonly projection: string;
}

/** What it tells. */
export type VerifyThreadMessage =
  | { readonly type: 'progress'; readonly events: number }
  | { readonly type: 'done'; readonly verification: ProjectionVerification }
  /** A sentence for the operator. */
  | { readonly type: 'refused'; readonly reason: string };

/** Compares a model with one that is rebuilt, in a thread of its own with stores of its own: requests go on meanwhile. */
export function verifyInThread(configuration: StoreConfiguration) {
  return (
    projection: string,
    report: (progress: { readonly events: number }) => void,
  ): Promise<ProjectionVerification> =>
    new Promise((resolve, reject) => {
      const workerData: VerifyThreadData = { configuration, projection };
      const thread = new Worker(new URL('./verify-thread.js', import.meta.url), { workerData });
      thread.on('message', (message: VerifyThreadMessage) => {
        if (message.type === 'progress') report(message);
        else if (message.type === 'done') resolve(message.verification);
        else reject(new OperationRefusedError(message.reason));
      });
      thread.once('error', reject);
      // Whatever came before it has settled this already.
      thread.once('exit', () => reject(new Error('The thread that verified ended without an answer')));
    });
}
