import { Injectable } from '@nestjs/common';
import { personalProjection } from '../../projections/personal.projection.js';
import type { Collection } from '../read-store/port.js';
import { ServingModels } from '../read-store/serving-models.js';
import type { DraftDocument } from './personal-document.js';

/** Opens the model of what concerns people alone. */
@Injectable()
export class PersonalReader {
  constructor(private readonly models: ServingModels) {}

  async drafts(): Promise<Collection<DraftDocument>> {
    const { name, collections } = personalProjection;
    return (await this.models.get(name, collections)).collection<DraftDocument>('drafts');
  }
}
