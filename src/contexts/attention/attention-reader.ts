import {
  attentionModel,
  topicPoliciesId,
  type AttentionDocument,
  type TopicPoliciesDocument,
} from './read-model.js';
import { noAttention, type Attention } from './attention.state.js';
import { foldCase } from '../../kernel/text.js';
import { Injectable } from '../../runtime/nest-decorators.js';
import { ServingModels } from '../../stores/read-store/serving-models.js';
import type { ModelStore } from '../../stores/read-store/port.js';
import type { VisibilityPolicy } from '../../events/attention.js';

/** Reads topic visibility policies, muted people and alert words. */
@Injectable()
export class AttentionReader {
  constructor(private readonly models: ServingModels) {}

  async of(userId: number): Promise<Attention> {
    const model = await this.model();
    const document = await model.collection<AttentionDocument>('attention').findOne({ _id: userId });
    return document ?? noAttention;
  }

  /** Topic visibility policies by person; people without one for this topic are missing. */
  async policiesFor(channelId: number, topic: string): Promise<ReadonlyMap<number, VisibilityPolicy>> {
    const model = await this.model();
    const document = await model
      .collection<TopicPoliciesDocument>('topic_wishes')
      .findOne({ _id: topicPoliciesId(channelId, foldCase(topic)) });
    return new Map(document?.wishes.map(({ userId, policy }) => [userId, policy]));
  }

  private model(): Promise<ModelStore> {
    return this.models.get(attentionModel.name, attentionModel.collections);
  }
}
