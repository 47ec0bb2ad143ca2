import type { OpenEnvironment } from '../projections/engine/projector-launch.js';
import { projections } from '../projections/registry.js';
import { openProjectionStores, type StoreConfiguration } from './stores.js';

/** What a projector thread is given to open its own stores with. */
export interface ProjectorConfiguration extends StoreConfiguration {
  /** Names this process to the others that want the leases. */
  readonly holder: string;
}

/** Called by the thread's entry: see `CompositionModule` of the engine. */
export async function openProjectorEnvironment(
  configuration: ProjectorConfiguration,
): Promise<OpenEnvironment> {
  const stores = await openProjectionStores(configuration);
  return { stores, projections, holder: configuration.holder, close: () => stores.close() };
}
