import type { Clock } from '../kernel/clock.js';
import { failure } from '../kernel/errors.js';
import type { CollectionDefinition, ModelStore, ReadStore } from './port.js';
import { RememberingModel } from './remembering-model.js';

/** How long a node may go on reading from the version that served before a switch, in milliseconds. */
const SWITCH_NOTICED_WITHIN = 1000;

interface ServingModel {
  readonly model: RememberingModel;
  readonly checkedAt: number;
}

/** The read models as queries see them: always the version that serves. */
export class ServingModels {
  private readonly models = new Map<string, ServingModel>();

  constructor(
    private readonly readStore: ReadStore,
    private readonly clock: Clock,
  ) {}

  /**
   * The serving version of a model.
   *
   * @throws ApplicationError `unavailable` while no version of it was ever completed
   */
  async get(name: string, collections: readonly CollectionDefinition[]): Promise<ModelStore> {
    const known = this.models.get(name);
    const now = this.clock.now();
    if (known !== undefined && now - known.checkedAt < SWITCH_NOTICED_WITHIN) return known.model;
    const version = await this.readStore.servingVersion(name);
    if (version === null) throw failure('unavailable');
    const model =
      known?.model.version === version
        ? known.model
        : new RememberingModel(await this.readStore.openModel(name, version, collections));
    this.models.set(name, { model, checkedAt: now });
    return model;
  }

  /** A model is known to have been written to: what was read of it in this turn is not to be answered again. */
  moved(name: string): void {
    this.models.get(name)?.model.moved();
  }

  /** A switch is known of: the next query looks again. */
  forget(name: string): void {
    this.models.delete(name);
  }
}
