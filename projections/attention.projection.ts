import { evolveAttention, noAttention, type AttentionDocument } from '../src/attention/attention.js';
import type { AttentionEvent } from '../src/attention/events.js';
import type { RecordedEvent } from '../src/kernel/event.js';
import type { BatchedHandler, Projection } from './engine/projection.js';

const attention: BatchedHandler = {
  reads: (event) => [{ collection: 'attention', id: (event as RecordedEvent<AttentionEvent>).data.userId }],
  apply: (event, documents) => {
    const change = event as RecordedEvent<AttentionEvent>;
    const { userId } = change.data;
    const document = documents.get<AttentionDocument>('attention', userId);
    const { _id, ...before } = document ?? { ...noAttention, _id: userId };
    return [{ collection: 'attention', put: { ...evolveAttention(before, change), _id } }];
  },
};

/** What people want to hear of and what not: one document a person. */
export const attentionProjection: Projection = {
  name: 'attention',
  version: 1,
  collections: [{ name: 'attention', indexes: [] }],
  on: {
    TopicVisibilityChanged: attention,
    PersonMuted: attention,
    PersonUnmuted: attention,
    AlertWordsAdded: attention,
    AlertWordsRemoved: attention,
  },
};
