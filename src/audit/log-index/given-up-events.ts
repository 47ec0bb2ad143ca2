import { Injectable } from '@nestjs/common';
import { OperatorSettings, type DiscardedEvent } from '../../../projections/engine/operator-settings.js';
import { ServingModels } from '../../stores/read-store/serving-models.js';

/** Which events of the log operators had read models pass over: what is read from such a model lacks them. */
@Injectable()
export class GivenUpEvents {
  private readonly settings: OperatorSettings;

  constructor({ readStore }: ServingModels) {
    this.settings = new OperatorSettings(readStore);
  }

  /** Those that a model passes over, in log order. */
  async of(model: string): Promise<readonly DiscardedEvent[]> {
    const { discarded } = await this.settings.of(model);
    return discarded.toSorted((one, other) => one.position - other.position);
  }
}
