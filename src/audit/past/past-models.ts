import { silentLogger } from '../../../projections/engine/logger.js';
import { projectionNamed } from '../../../projections/engine/model-versions.js';
import type { EngineStores } from '../../../projections/engine/projection-runner.js';
import { buildUp } from '../../../projections/engine/build-model.js';
import { projections } from '../../../projections/registry.js';
import type { Clock } from '../../kernel/clock.js';
import type { ModelStore } from '../../stores/read-store/port.js';
import { ServingModels } from '../../stores/read-store/serving-models.js';

/** Read models of the past are always built by the present code, so they need only one version number. */
const VERSION = 1;

/** Options of {@link PastModels}. */
interface PastModelsOptions {
  readonly stores: EngineStores;
  readonly clock: Clock;
  /** Aborts builds that are in progress. */
  readonly signal: AbortSignal;
  /** Called with the number of events of a model that were applied. */
  readonly onProgress: (model: string, events: number) => void;
}

/** The read models as they were. Each is built up to the end of the past when it is first requested. */
export class PastModels extends ServingModels {
  private readonly built = new Map<string, Promise<ModelStore>>();

  constructor(private readonly options: PastModelsOptions) {
    super(options.stores.readStore, options.clock);
  }

  override get(name: string): Promise<ModelStore> {
    const model = this.built.get(name) ?? this.build(name);
    this.built.set(name, model);
    return model;
  }

  private async build(name: string): Promise<ModelStore> {
    const { stores, signal, onProgress } = this.options;
    const projection = projectionNamed(name, projections);
    const { model } = await buildUp(
      stores,
      { projection, version: VERSION },
      {
        processName: 'the past',
        logger: silentLogger,
        signal,
        onProgress: ({ events }) => onProgress(name, events),
      },
    );
    return model;
  }
}
