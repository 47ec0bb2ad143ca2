import 'reflect-metadata';
import { projectionNamed } from '../../projections/engine/model-versions.js';
import { projections } from '../../projections/registry.js';
import { verifyProjection, type ProjectionVerification } from '../operations/verify-projection.js';
import { openProjectionStoresToRead } from '../stores/stores.js';
import { operatorRefusal, runTaskThread, type ThreadTask } from './task-thread.js';
import type { VerifyProgress, VerifyThreadData } from './verify-in-thread.js';

/** Opens the thread's own stores and compares. */
async function perform(
  { configuration, projection: name }: VerifyThreadData,
  { reportProgress }: ThreadTask<VerifyProgress>,
): Promise<ProjectionVerification> {
  const projection = projectionNamed(name, projections);
  const stores = await openProjectionStoresToRead(configuration);
  try {
    return await verifyProjection(stores, projection, ({ events }) => reportProgress({ events }));
  } finally {
    await stores.close();
  }
}

await runTaskThread(perform, operatorRefusal);
