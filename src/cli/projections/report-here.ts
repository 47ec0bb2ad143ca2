import { projections } from '../../../projections/registry.js';
import type { Configuration } from '../../config.js';
import { reportProjections, type ProjectionReport } from '../../operations/projection-report.js';
import { reachable } from '../with-stores.js';
import { openProjectionStoresToRead } from '../../stores/stores.js';

/** Reports on the read models from the files, while no server runs. */
export async function reportHere(configuration: Configuration): Promise<readonly ProjectionReport[]> {
  const stores = await openProjectionStoresToRead(await reachable(configuration));
  try {
    const { readStore, log } = stores;
    return await reportProjections({
      readStore,
      eventStore: log.store,
      projections,
      clock: { now: () => Date.now() },
    });
  } finally {
    await stores.close();
  }
}
