import {
  type TopicDocument,
  topicDocumentId,
  topicDocumentOf,
} from '../src/contexts/messages/conversation-documents.js';
import type { MessageChangeDocument, MessageDocument } from '../src/contexts/messages/message-document.js';
import type { MoveDocument } from '../src/contexts/messages/moves/move-documents.js';
import type { MoveEvent } from '../src/events/message-moves.js';
import { topicKey } from '../src/events/values/message-text.js';
import type { RecordedEvent } from '../src/kernel/event.js';
import type { Change } from './engine/projection.js';

/**
 * The documents of a move in `message_changes`: one for the place that the messages left, and one for the place that
 * they came to.
 */
export function placesChanged(
  { metadata, position }: RecordedEvent<MoveEvent>,
  move: MoveDocument,
): readonly Change[] {
  const { at, actorId } = metadata;
  const { firstMessageId: messageId, count } = move.moved;
  const change = { position, at, actorId, messageId, count, conversation: null };
  const left: MessageChangeDocument = {
    ...change,
    _id: `${position}:0`,
    kind: 'left',
    channelId: move.channelId,
    topicKey: topicKey(move.topic),
  };
  const came: MessageChangeDocument = {
    ...change,
    _id: `${position}:1`,
    kind: 'came',
    channelId: move.newChannelId,
    topicKey: topicKey(move.newTopic),
  };
  return [left, came].map((put) => ({ collection: 'message_changes', put }));
}

interface TopicsBefore {
  /** The latest message that stays in the old topic; undefined: none stays. */
  readonly latestLeft: MessageDocument | undefined;
  readonly target: TopicDocument | null;
}

/** A topic ends at its latest message and is spelled as in that message; a topic without messages is removed. */
export function topicChanges(move: MoveDocument, { latestLeft, target }: TopicsBefore): readonly Change[] {
  const [oldKey, newKey] = [topicKey(move.topic), topicKey(move.newTopic)];
  const oldId = topicDocumentId(move.channelId, oldKey);
  const newId = topicDocumentId(move.newChannelId, newKey);
  const arrived = topicDocumentOf({
    channelId: move.newChannelId,
    name: move.newTopic,
    lastMessageId: move.moved.lastMessageId,
  });
  const isLatest = target === null || target.lastMessageId <= arrived.lastMessageId;
  const arrival: Change[] = isLatest ? [{ collection: 'topics', put: arrived }] : [];
  if (oldId === newId) return arrival;
  const departure: Change =
    latestLeft === undefined
      ? { collection: 'topics', remove: oldId }
      : {
          collection: 'topics',
          put: topicDocumentOf({
            channelId: move.channelId,
            name: latestLeft.topic ?? '',
            lastMessageId: latestLeft._id,
          }),
        };
  return [departure, ...arrival];
}
