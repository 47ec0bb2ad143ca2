import { openTracer } from '../runtime/tracing/open-tracer.js';
import type { TracingOptions } from '../runtime/tracing/tracer.js';
import type { OpenEnvironment } from '../../projections/engine/projector-launch.js';
import { projections } from '../../projections/registry.js';
import { EventLoopDelays } from '../reader-threads/event-loop-delays.js';
import { openProjectionStores } from '../stores/stores.js';
import type { StoreConfiguration } from '../stores/store-configuration.js';

/** What a projector thread is given to open its own stores with. */
export interface ProjectorConfiguration extends StoreConfiguration {
  /** Names this process to the others that want the leases. */
  readonly processName: string;
  /** Counters of how late the thread's event loop is: see {@link EventLoopDelays}. */
  readonly delays: SharedArrayBuffer;
  /** Null: nothing is traced. */
  readonly tracing: TracingOptions | null;
}

/** Called by the thread's entry: see `CompositionModule` of the engine. */
export async function openProjectorEnvironment(
  configuration: ProjectorConfiguration,
): Promise<OpenEnvironment> {
  new EventLoopDelays(configuration.delays).measure();
  const stores = await openProjectionStores(configuration);
  // The process that this thread is of sends to the same collector, and says when that cannot be done.
  const tracer = await openTracer(configuration.tracing, () => {});
  stores.log.tracer = tracer;
  const close = async (): Promise<void> => {
    await stores.close();
    await tracer?.close();
  };
  return { stores, projections, processName: configuration.processName, close };
}
