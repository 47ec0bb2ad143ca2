import { Injectable } from '@nestjs/common';
import { OperatorSettings, type DiscardedEvent } from '../../../projections/engine/operator-settings.js';
import { ServingModels } from '../../stores/read-store/serving-models.js';

/** Knows which events operators had read models skip, so that what is read from such a model lacks them. */
@Injectable()
export class GivenUpEvents {
  private readonly settings: OperatorSettings;

  constructor({ readStore }: ServingModels) {
    this.settings = new OperatorSettings(readStore);
  }

  /** The events that a model skipped, in log order. */
  async of(model: string): Promise<readonly DiscardedEvent[]> {
    const { discarded } = await this.settings.of(model);
    return discarded.toSorted((one, other) => one.position - other.position);
  }
}
