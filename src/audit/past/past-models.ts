import { silentLogger } from '../../../projections/engine/logger.js';
import { projectionNamed } from '../../../projections/engine/model-versions.js';
import type { EngineStores } from '../../../projections/engine/projection-runner.js';
import { buildUp } from '../../../projections/engine/build-model.js';
import { projections } from '../../../projections/registry.js';
import type { Clock } from '../../kernel/clock.js';
import type { ModelStore } from '../../stores/read-store/port.js';
import { ServingModels } from '../../stores/read-store/serving-models.js';

/** A model of the past is of no other version than the code's. */
const VERSION = 1;

/** What {@link PastModels} works with. */
export interface PastModelsOptions {
  readonly stores: EngineStores;
  readonly clock: Clock;
  /** Aborted when nobody asks any more: builds end where they are. */
  readonly signal: AbortSignal;
  /** Where the past ends now. */
  readonly through: () => number;
  /** Told how many events of a model were applied. */
  readonly onProgress: (model: string, events: number) => void;
}

/** The read models as they were: each is built up to the end of the past when it is first asked for, and after the end has moved on. */
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
    // A build goes on where the one before it ended: so it waits for it.
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
