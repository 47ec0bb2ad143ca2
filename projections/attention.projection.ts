import {
  evolveAttention,
  noAttention,
  topicWishesId,
  type AttentionDocument,
  type TopicWishesDocument,
} from '../src/attention/attention.js';
import {
  visibilityPolicies,
  type AttentionEvent,
  type TopicVisibilityChanged,
} from '../src/attention/events.js';
import type { EventOf, RecordedEvent } from '../src/kernel/event.js';
import { foldCase } from '../src/kernel/fold-case.js';
import type {
  BatchedHandler,
  Change,
  DocumentReference,
  LoadedDocuments,
  Projection,
} from './engine/projection.js';

type VisibilityChanged = RecordedEvent<EventOf<typeof TopicVisibilityChanged>>;

const attention: BatchedHandler = {
  reads: (event) => [attentionOf(event)],
  apply: (event, documents) => [changedAttention(event, documents)],
};

const visibility: BatchedHandler = {
  reads: (event) => [attentionOf(event), wishesOf(event as VisibilityChanged)],
  apply: (event, documents) => [
    changedAttention(event, documents),
    changedWishes(event as VisibilityChanged, documents),
  ],
};

function attentionOf(event: RecordedEvent): DocumentReference {
  return { collection: 'attention', id: (event as RecordedEvent<AttentionEvent>).data.userId };
}

function wishesOf({ data: { channelId, topic } }: VisibilityChanged): DocumentReference {
  return { collection: 'topic_wishes', id: topicWishesId(channelId, foldCase(topic)) };
}

function changedAttention(event: RecordedEvent, documents: LoadedDocuments): Change {
  const change = event as RecordedEvent<AttentionEvent>;
  const { userId } = change.data;
  const document = documents.get<AttentionDocument>('attention', userId);
  const { _id, ...before } = document ?? { ...noAttention, _id: userId };
  return { collection: 'attention', put: { ...evolveAttention(before, change), _id } };
}

function changedWishes(event: VisibilityChanged, documents: LoadedDocuments): Change {
  const { userId, policy } = event.data;
  const { collection, id } = wishesOf(event);
  const { wishes } = documents.get<TopicWishesDocument>(collection, id) ?? { wishes: [] };
  const others = wishes.filter((wish) => wish.userId !== userId);
  if (policy !== visibilityPolicies.none) {
    return { collection, put: { _id: id, wishes: [...others, { userId, policy }] } };
  }
  return others.length === 0 ? { collection, remove: id } : { collection, put: { _id: id, wishes: others } };
}

/** What people want to hear of and what not: one document a person, and one for each topic that somebody chose. */
export const attentionProjection: Projection = {
  name: 'attention',
  version: 2,
  collections: [
    { name: 'attention', indexes: [] },
    { name: 'topic_wishes', indexes: [] },
  ],
  on: {
    TopicVisibilityChanged: visibility,
    PersonMuted: attention,
    PersonUnmuted: attention,
    AlertWordsAdded: attention,
    AlertWordsRemoved: attention,
  },
};
