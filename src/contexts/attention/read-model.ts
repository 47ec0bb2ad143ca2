import type { ModelDefinition } from '../../stores/read-store/port.js';
import type { VisibilityPolicy } from '../../events/attention.js';
import type { Attention } from './attention.state.js';

/** Attention settings: one document for each person, and one for each topic with policies. */
export const attentionModel: ModelDefinition = {
  name: 'attention',
  version: 2,
  collections: [
    { name: 'attention', indexes: [] },
    { name: 'topic_wishes', indexes: [] },
  ],
};

/** A person's attention settings; the key is the person's id. */
export type AttentionDocument = Attention & { readonly _id: number };

/** The policies for one topic, in the order in which they were set. */
export type TopicPoliciesDocument = {
  /** {@link topicPoliciesId} */
  readonly _id: string;
  readonly wishes: readonly { readonly userId: number; readonly policy: VisibilityPolicy }[];
};

/** The id of a topic's document, by the key that topics are compared by. */
export function topicPoliciesId(channelId: number, topicKey: string): string {
  return `${channelId}:${topicKey}`;
}
