import {
  attentionModel,
  topicPoliciesId,
  type AttentionDocument,
  type TopicPoliciesDocument,
} from '../src/contexts/attention/read-model.js';
import { evolveAttention, noAttention } from '../src/contexts/attention/attention.state.js';
import {
  AlertWordsAdded,
  AlertWordsRemoved,
  PersonMuted,
  PersonUnmuted,
  TopicVisibilityChanged,
  visibilityPolicies,
  type AttentionEvent,
} from '../src/events/attention.js';
import type { Recorded, RecordedEvent } from '../src/kernel/event.js';
import { handlers } from '../src/kernel/event-handlers.js';
import { foldCase } from '../src/kernel/text.js';
import {
  on,
  type BatchedHandler,
  type Change,
  type DocumentReference,
  type LoadedDocuments,
  type Projection,
} from './engine/projection.js';

const attention: BatchedHandler<RecordedEvent<AttentionEvent>> = {
  reads: (event) => [attentionOf(event)],
  apply: (event, documents) => [changedAttention(event, documents)],
};

const visibility: BatchedHandler<Recorded<typeof TopicVisibilityChanged>> = {
  reads: (event) => [attentionOf(event), policiesOf(event)],
  apply: (event, documents) => [changedAttention(event, documents), changedPolicies(event, documents)],
};

function attentionOf({ data }: RecordedEvent<AttentionEvent>): DocumentReference {
  return { collection: 'attention', id: data.userId };
}

function policiesOf({
  data: { channelId, topic },
}: Recorded<typeof TopicVisibilityChanged>): DocumentReference {
  return { collection: 'topic_wishes', id: topicPoliciesId(channelId, foldCase(topic)) };
}

function changedAttention(event: RecordedEvent<AttentionEvent>, documents: LoadedDocuments): Change {
  const { userId } = event.data;
  const document = documents.get<AttentionDocument>('attention', userId);
  const { _id, ...before } = document ?? { ...noAttention, _id: userId };
  return { collection: 'attention', put: { ...evolveAttention(before, event), _id } };
}

function changedPolicies(event: Recorded<typeof TopicVisibilityChanged>, documents: LoadedDocuments): Change {
  const { userId, policy } = event.data;
  const { collection, id } = policiesOf(event);
  const { wishes } = documents.get<TopicPoliciesDocument>(collection, id) ?? { wishes: [] };
  const others = wishes.filter((one) => one.userId !== userId);
  if (policy !== visibilityPolicies.none) {
    return { collection, put: { _id: id, wishes: [...others, { userId, policy }] } };
  }
  return others.length === 0 ? { collection, remove: id } : { collection, put: { _id: id, wishes: others } };
}

/** What people want to be notified of: one document per person, and one per topic with a visibility policy. */
export const attentionProjection: Projection = {
  ...attentionModel,
  on: handlers(
    on(TopicVisibilityChanged, visibility),
    on([PersonMuted, PersonUnmuted, AlertWordsAdded, AlertWordsRemoved], attention),
  ),
};
