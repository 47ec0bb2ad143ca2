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
  /** Returns the present end of the past: the position up to which models are built. */
  readonly through: () => number;
  /** Called with the number of events of a model that were applied. */
  readonly onProgress: (model: string, events: number) => void;
}

/**
 * The read models as they were. Each is built up to the end of the past when it is first requested, and again after
 * the end has moved.
 */
export class PastModels extends ServingModels {
  private readonly built = new Map<
    string,
    { readonly through: number; readonly model: Promise<ModelStore> }
  >();

  constructor(private readonly options: PastModelsOptions) {
    super(options.stores.readStore, options.clock);
  }

  override async get(name: string): Promise<ModelStore> {
    const through = this.options.through();
    const known = this.built.get(name);
    if (known?.through === through) return known.model;
    // A build continues where the one before it ended, so it waits for that.
    const model = (known?.model ?? Promise.resolve()).then(() => this.build(name));
    this.built.set(name, { through, model });
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
