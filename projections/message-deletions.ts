import type { Recorded } from '../src/kernel/event.js';
import type { MessageDeleted } from '../src/events/messages.js';
import {
  editDocumentId,
  messageChangeOf,
  type DeletionDocument,
  type MessageDocument,
} from '../src/contexts/messages/message-document.js';
import {
  topicDocumentId,
  topicDocumentOf,
  type ChannelActivityDocument,
  type TopicDocument,
} from '../src/contexts/messages/conversation-documents.js';
import type { Change, ModelReader } from './engine/projection.js';

/** Removes messages and the documents that exist because of them. */
export async function withoutMessages(
  events: readonly Recorded<typeof MessageDeleted>[],
  model: ModelReader,
): Promise<readonly Change[]> {
  const byMessage = new Map(events.map((event) => [event.data.messageId, event]));
  const messages = await model
    .collection<MessageDocument>('messages')
    .find({ _id: { $in: [...byMessage.keys()] } });
  return [
    ...messages.flatMap((message) => removalOf(message, byMessage.get(message._id)!)),
    ...(await placesWithout(messages, model)),
  ];
}

/**
 * The deletion comes first: where the store writes one collection after the other, whoever does not find the message any more finds the
 * deletion.
 */
function removalOf(message: MessageDocument, event: Recorded<typeof MessageDeleted>): readonly Change[] {
  const { _id: messageId, edits } = message;
  return [
    { collection: 'deletions', put: deletionOf(message, event.position) },
    { collection: 'messages', remove: messageId },
    { collection: 'message_changes', put: messageChangeOf(event, message, 'deleted') },
    ...Array.from({ length: edits }, (_, index) => ({
      collection: 'message_edits',
      remove: editDocumentId(messageId, index + 1),
    })),
  ];
}

function deletionOf(message: MessageDocument, position: number): DeletionDocument {
  const { _id, senderId, channelId, arrival, topic, conversation, participantIds, givenToIds, moves } =
    message;
  const place = { channelId, arrival, topic, topicKey: message.topicKey, conversation, participantIds };
  return { _id, senderId, ...place, givenToIds, moves, position };
}

/** Updates topics to end at their latest remaining message, and channels to begin at their first. */
async function placesWithout(
  messages: readonly MessageDocument[],
  model: ModelReader,
): Promise<readonly Change[]> {
  const gone = new Set(messages.map(({ _id }) => _id));
  const channelIds = new Set(messages.flatMap(({ channelId }) => channelId ?? []));
  const topicIds = new Set(
    messages.flatMap(({ channelId, topicKey: key }) =>
      channelId === null || key === null ? [] : topicDocumentId(channelId, key),
    ),
  );
  const topics = await model.collection<TopicDocument>('topics').find({ _id: { $in: [...topicIds] } });
  const channels = await model
    .collection<ChannelActivityDocument>('channel_activity')
    .find({ _id: { $in: [...channelIds] } });
  return Promise.all([
    ...topics.filter((one) => gone.has(one.lastMessageId)).map((one) => topicWithout(one, gone, model)),
    ...channels
      .filter((one) => gone.has(one.firstMessageId ?? 0))
      .map((one) => channelWithout(one, gone, model)),
  ]);
}

async function topicWithout(
  { _id, channelId, topicKey: key }: TopicDocument,
  gone: ReadonlySet<number>,
  model: ModelReader,
): Promise<Change> {
  const [latest] = await model
    .collection<MessageDocument>('messages')
    .find({ channelId, topicKey: key, _id: { $nin: [...gone] } }, { sort: { _id: -1 }, limit: 1 });
  if (latest === undefined) return { collection: 'topics', remove: _id };
  const topic = topicDocumentOf({ channelId, name: latest.topic ?? '', lastMessageId: latest._id });
  return { collection: 'topics', put: topic };
}

async function channelWithout(
  activity: ChannelActivityDocument,
  gone: ReadonlySet<number>,
  model: ModelReader,
): Promise<Change> {
  const [first] = await model
    .collection<MessageDocument>('messages')
    .find({ channelId: activity._id, _id: { $nin: [...gone] } }, { sort: { _id: 1 }, limit: 1 });
  return { collection: 'channel_activity', put: { ...activity, firstMessageId: first?._id ?? null } };
}
