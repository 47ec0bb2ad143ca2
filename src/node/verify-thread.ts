import 'reflect-metadata';
import { parentPort, workerData } from 'node:worker_threads';
import { projectionNamed } from '../../projections/engine/model-versions.js';
import { projections } from '../../projections/registry.js';
import { OperatorError } from '../kernel/errors.js';
import { verifyProjection } from '../operations/verify-projection.js';
import { openProjectionStoresToRead } from '../stores/stores.js';
import type { VerifyThreadData, VerifyThreadMessage } from './verify-in-thread.js';

/** The thread's entry: opens its own stores, compares, reports and ends. */
async function main(send: (message: VerifyThreadMessage) => void): Promise<void> {
  const { configuration, projection: name } = workerData as VerifyThreadData;
  try {
    const projection = projectionNamed(name, projections);
    const stores = await openProjectionStoresToRead(configuration);
    try {
      const verification = await verifyProjection(stores, projection, ({ events }) =>
        send({ type: 'progress', events }),
      );
      send({ type: 'done', verification });
    } finally {
      await stores.close();
    }
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    send({ type: 'refused', reason: error.message });
  }
}

const port = parentPort;
if (port === null) throw new Error('This module runs in a worker thread');
await main((message) => port.postMessage(message));
