import { Injectable } from '@nestjs/common';
import { attentionProjection } from '../../projections/attention.projection.js';
import { ServingModels } from '../read-store/serving-models.js';
import { noAttention, type Attention, type AttentionDocument } from './attention.js';

/** Reads what people want to hear of. */
@Injectable()
export class AttentionReader {
  constructor(private readonly models: ServingModels) {}

  async of(userId: number): Promise<Attention> {
    const model = await this.models.get(attentionProjection.name, attentionProjection.collections);
    const document = await model.collection<AttentionDocument>('attention').findOne({ _id: userId });
    return document ?? noAttention;
  }
}
