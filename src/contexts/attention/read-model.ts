import type { ModelDefinition } from '../../stores/read-store/port.js';
import type { VisibilityPolicy } from '../../events/attention.js';
import type { Attention } from './attention.state.js';

/** What people want to hear of and what not: one document a person, and one for each topic that somebody chose. */
export const attentionModel: ModelDefinition = {
  name: 'attention',
  version: 2,
  collections: [
    { name: 'attention', indexes: [] },
    { name: 'topic_wishes', indexes: [] },
  ],
};

/** What the read model keeps of it; the key is the person's id. */
export type AttentionDocument = Attention & { readonly _id: number };

/** How much people want to hear of one topic: who said so, in the order in which they did. */
export type TopicPoliciesDocument = {
  /** {@link topicPoliciesId} */
  readonly _id: string;
  readonly wishes: readonly { readonly userId: number; readonly policy: VisibilityPolicy }[];
};

/** Names a topic of a channel by what topics are compared by. */
export function topicPoliciesId(channelId: number, topicKey: string): string {
  return `${channelId}:${topicKey}`;
}
