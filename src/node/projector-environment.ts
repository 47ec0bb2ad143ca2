import { openTracer } from '../runtime/tracing/open-tracer.js';
import type { TracingOptions } from '../runtime/tracing/tracer.js';
import type { OpenEnvironment } from '../../projections/engine/projector-launch.js';
import { projections } from '../../projections/registry.js';
import { EventLoopDelays } from '../reader-threads/event-loop-delays.js';
import { openProjectionStores } from '../stores/stores.js';
import type { StoreConfiguration } from '../stores/store-configuration.js';

/** What a projector thread needs to open its own stores. */
export interface ProjectorConfiguration extends StoreConfiguration {
  /** Identifies this process to others that compete for the leases. */
  readonly processName: string;
  /** Counters of the event loop delay of the thread: see {@link EventLoopDelays}. */
  readonly delays: SharedArrayBuffer;
  /** Null: tracing is off. */
  readonly tracing: TracingOptions | null;
}

/** Called by the thread's entry: see `CompositionModule` of the engine. */
export async function openProjectorEnvironment(
  configuration: ProjectorConfiguration,
): Promise<OpenEnvironment> {
  new EventLoopDelays(configuration.delays).measure();
  const stores = await openProjectionStores(configuration);
  // The main thread exports to the same collector, and reports failures.
  const tracer = await openTracer(configuration.tracing, () => {});
  stores.log.tracer = tracer;
  const close = async (): Promise<void> => {
    await stores.close();
    await tracer?.close();
  };
  return { stores, projections, processName: configuration.processName, close };
}
