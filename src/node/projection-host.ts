import type { ModelPositions } from '../../projections/engine/model-positions.js';
import { ProjectionHost } from '../../projections/engine/projection-host.js';
import { launchInThread } from '../../projections/engine/projector-launch.js';
import { projections } from '../../projections/registry.js';
import type { Configuration } from '../config.js';
import type { Logger } from '../http/monitoring/logger.js';
import type { ServingModels } from '../stores/read-store/serving-models.js';
import { storeConfigurationOf } from '../stores/store-configuration.js';
import type { Stores } from '../stores/stores.js';
import type { ProjectorConfiguration } from './projector-environment.js';
import type { WorkerThreads } from './worker-threads.js';

/** The parts of a process that its projections need. */
interface ProjectionParts {
  readonly configuration: Configuration;
  readonly stores: Pick<Stores, 'readStore'>;
  readonly positions: ModelPositions;
  readonly models: ServingModels;
  readonly threads: WorkerThreads;
  readonly logger: Logger;
  readonly processName: string;
  /** The event loop delays of the projector's thread, in memory that threads share. */
  readonly projectorDelays: ProjectorConfiguration['delays'];
}

/** Composes the projections of a process, which run in a thread of their own. */
export function projectionHostOf(node: ProjectionParts): ProjectionHost {
  const { models, threads, processName } = node;
  const configuration: ProjectorConfiguration = {
    ...storeConfigurationOf(node.configuration),
    processName,
    delays: node.projectorDelays,
    tracing: node.configuration.tracing,
  };
  const module = new URL('./projector-environment.js', import.meta.url).href;
  return new ProjectionHost({
    launch: launchInThread({ module, configuration }),
    projections,
    readStore: node.stores.readStore,
    positions: node.positions,
    logger: node.logger,
    processName,
    onProgress: (name) => models.moved(name),
    onCutOver: (name) => {
      models.forget(name);
      threads.readers.forgetModels();
    },
    onDrop: () => threads.readers.forgetModels(),
  });
}
