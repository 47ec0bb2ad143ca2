import type { EventOf, RecordedEvent } from '../src/kernel/event.js';
import { toSeconds } from '../src/kernel/clock.js';
import type { MessageEdited, MessageSent, ReactionAdded, ReactionRemoved } from '../src/messages/events.js';
import type { MoveEvent } from '../src/messages/move-events.js';
import { renderMarkdown, RENDERER_VERSION } from '../src/messages/markdown/render.js';
import {
  conversationKey,
  topicDocumentOf,
  type ChannelActivityDocument,
  type ConversationDocument,
  type MessageDocument,
  type MessageEditDocument,
  type MessageWordsDocument,
} from '../src/messages/message-document.js';
import { withoutReaction, type Reaction } from '../src/messages/reaction.js';
import type { SubmessageAttached } from '../src/messages/submessages/events.js';
import { firstSubmessages } from '../src/messages/submessages/submessage.js';
import { isResolvedTopic, topicKey } from '../src/messages/text.js';
import { stemsIn } from '../src/messages/text-search/words.js';
import type { Change, DocumentReference, LoadedDocuments, Projection } from './engine/projection.js';
import { alerted, alertWords, mutedBy, mutersOf, muting, wording } from './message-attention.js';
import { withoutMessages, type Deleted } from './message-deletions.js';
import { moved } from './message-moves.js';

type Sent = RecordedEvent<EventOf<typeof MessageSent>>;
type Edited = RecordedEvent<EventOf<typeof MessageEdited>>;
type Added = RecordedEvent<EventOf<typeof ReactionAdded>>;
type Removed = RecordedEvent<EventOf<typeof ReactionRemoved>>;
type Attached = RecordedEvent<EventOf<typeof SubmessageAttached>>;
type Moved = RecordedEvent<MoveEvent>;

/** The version of the documents' shape; the renderer's own version counts with it. */
const shapeVersion = 10;

/** Messages with their edits, the topics and conversations they are in, and how busy channels are. */
export const messagesProjection: Projection = {
  name: 'messages',
  version: shapeVersion * 1000 + RENDERER_VERSION,
  collections: [
    {
      name: 'messages',
      indexes: [
        // With the number of changes, so that a page of a channel names its messages' states without reading them.
        { key: { channelId: 1, _id: 1, changes: 1 } },
        { key: { channelId: 1, topicKey: 1, _id: 1 } },
        { key: { arrival: 1, _id: 1 } },
        { key: { conversation: 1, _id: 1 } },
        { key: { participantIds: 1, _id: 1 }, multikey: 'participantIds' },
        { key: { senderId: 1, _id: 1 } },
        { key: { uploadIds: 1, _id: 1 }, multikey: 'uploadIds' },
        { key: { timestamp: 1, _id: 1 } },
      ],
    },
    { name: 'message_edits', indexes: [{ key: { messageId: 1, number: 1 } }] },
    { name: 'deletions', indexes: [] },
    { name: 'moves', indexes: [{ key: { eventId: 1 } }] },
    { name: 'arrivals', indexes: [] },
    {
      name: 'topics',
      indexes: [
        { key: { channelId: 1, lastMessageId: 1 } },
        { key: { words: 1, _id: 1 }, multikey: 'words' },
      ],
    },
    { name: 'message_words', indexes: [{ key: { words: 1, _id: 1 }, multikey: 'words' }] },
    { name: 'channel_activity', indexes: [] },
    { name: 'conversations', indexes: [] },
    { name: 'muters', indexes: [] },
    { name: 'alert_words', indexes: [] },
  ],
  on: {
    MessageSent: {
      reads: (event) => [placeOf(event as Sent), mutersOf((event as Sent).data.senderId), alertWords],
      apply: (event, documents) => sent(event as Sent, documents),
    },
    MessageEdited: {
      reads: (event) => [messageOf(event as Edited), alertWords],
      apply: (event, documents) => edited(event as Edited, documents),
    },
    MessageDeleted: { applyRun: (events, model) => withoutMessages(events as readonly Deleted[], model) },
    ReactionAdded: {
      reads: (event) => [messageOf(event as Added)],
      apply: (event, documents) => reactionAdded(event as Added, documents),
    },
    ReactionRemoved: {
      reads: (event) => [messageOf(event as Removed)],
      apply: (event, documents) => reactionRemoved(event as Removed, documents),
    },
    SubmessageAttached: {
      reads: (event) => [messageOf(event as Attached)],
      apply: (event, documents) => submessageAttached(event as Attached, documents),
    },
    MessagesMoved: { applyAlone: (event, model) => moved(event as Moved, model) },
    PersonMuted: muting,
    PersonUnmuted: muting,
    AlertWordsAdded: wording,
    AlertWordsRemoved: wording,
    TopicResolved: { applyAlone: (event, model) => moved(event as Moved, model) },
    TopicUnresolved: { applyAlone: (event, model) => moved(event as Moved, model) },
  },
};

function messageOf({ data }: Edited | Added | Removed | Attached): DocumentReference {
  return { collection: 'messages', id: data.messageId };
}

function placeOf({ data: { recipient } }: Sent): DocumentReference {
  if (recipient.type === 'direct') {
    return { collection: 'conversations', id: conversationKey(recipient.userIds) };
  }
  return { collection: 'channel_activity', id: recipient.channelId };
}

function sent(event: Sent, documents: LoadedDocuments): readonly Change[] {
  return event.data.recipient.type === 'direct'
    ? sentDirectly(event, documents)
    : sentToChannel(event, documents);
}

function sentToChannel(event: Sent, documents: LoadedDocuments): readonly Change[] {
  const { recipient } = event.data;
  if (recipient.type !== 'channel') return [];
  const { channelId, topic } = recipient;
  const key = topicKey(topic);
  const message = messageAt(event, documents, {
    channelId,
    topic,
    topicKey: key,
    isResolved: isResolvedTopic(topic),
    conversation: null,
    participantIds: null,
    isGroupConversation: false,
    recipientId: channelId * 2,
  });
  const activity = documents.get<ChannelActivityDocument>('channel_activity', channelId);
  return [
    { collection: 'messages', put: message },
    { collection: 'topics', put: topicDocumentOf({ channelId, name: topic, lastMessageId: message._id }) },
    { collection: 'message_words', put: wordsOf(message) },
    { collection: 'channel_activity', put: busier(activity, message) },
  ];
}

function sentDirectly(event: Sent, documents: LoadedDocuments): readonly Change[] {
  const { recipient } = event.data;
  if (recipient.type !== 'direct') return [];
  const key = conversationKey(recipient.userIds);
  const messageId = event.revision + 1;
  const known = documents.get<ConversationDocument>('conversations', key);
  const conversation: ConversationDocument = {
    _id: key,
    participantIds: recipient.userIds,
    recipientId: known?.recipientId ?? messageId * 2 + 1,
    lastMessageId: messageId,
  };
  const message = messageAt(event, documents, {
    channelId: null,
    topic: null,
    topicKey: null,
    isResolved: false,
    conversation: key,
    participantIds: recipient.userIds,
    isGroupConversation: recipient.userIds.length > 2,
    recipientId: conversation.recipientId,
  });
  return [
    { collection: 'messages', put: message },
    { collection: 'message_words', put: wordsOf(message) },
    { collection: 'conversations', put: conversation },
  ];
}

/** Where a message lies. */
type Place = Pick<
  MessageDocument,
  | 'channelId'
  | 'topic'
  | 'topicKey'
  | 'isResolved'
  | 'conversation'
  | 'participantIds'
  | 'isGroupConversation'
  | 'recipientId'
>;

/** Field by field, because an object of so many fields that is put together by spreading costs a tenth of a rebuild. */
function messageAt(
  { revision, data, metadata }: Sent,
  documents: LoadedDocuments,
  place: Place,
): MessageDocument {
  const { senderId, content } = data;
  const rendered = renderMarkdown(content, data.references);
  const { uploads: uploadIds = [] } = data.references;
  return {
    _id: revision + 1,
    changes: 1,
    senderId,
    content,
    html: rendered.html,
    hasLink: rendered.hasLink,
    hasImage: rendered.hasImage,
    hasAttachment: uploadIds.length > 0,
    uploadIds,
    isMeMessage: rendered.isMeMessage,
    mentions: data.mentions,
    timestamp: toSeconds(metadata.at),
    client: metadata.client,
    readBySender: data.readBySender,
    readOnArrival: data.readOnArrival ?? null,
    causedBy: metadata.causationId,
    mutedByIds: mutedBy(senderId, documents).mutedByIds,
    alertedIds: alerted(content, documents).alertedIds,
    lastEditTimestamp: null,
    edits: 0,
    reactions: [],
    hasReaction: false,
    submessages: firstSubmessages(data),
    arrival: 0,
    lastMovedTimestamp: null,
    moves: [],
    channelId: place.channelId,
    topic: place.topic,
    topicKey: place.topicKey,
    isResolved: place.isResolved,
    conversation: place.conversation,
    participantIds: place.participantIds,
    isGroupConversation: place.isGroupConversation,
    recipientId: place.recipientId,
  };
}

function wordsOf({ _id, content }: MessageDocument): MessageWordsDocument {
  return { _id, words: stemsIn(content) };
}

const daysKept = 28;

function busier(activity: ChannelActivityDocument | null, message: MessageDocument): ChannelActivityDocument {
  const day = Math.floor(message.timestamp / 86_400);
  const perDay = Object.fromEntries(
    Object.entries(activity?.perDay ?? {}).filter(([other]) => Number(other) > day - daysKept),
  );
  perDay[day] = (perDay[day] ?? 0) + 1;
  return {
    _id: message.recipientId / 2,
    firstMessageId: activity?.firstMessageId ?? message._id,
    firstMessageAt: activity?.firstMessageAt ?? message.timestamp,
    lastMessageAt: message.timestamp,
    perDay,
  };
}

function edited({ id, data, metadata }: Edited, documents: LoadedDocuments): readonly Change[] {
  const message = documents.get<MessageDocument>('messages', data.messageId);
  if (message === null) return [];
  const timestamp = toSeconds(metadata.at);
  const number = message.edits + 1;
  const edit: MessageEditDocument = {
    _id: `${message._id}:${number}`,
    messageId: message._id,
    number,
    movesBefore: message.moves.length,
    eventId: id,
    userId: metadata.actorId,
    timestamp,
    previousContent: message.content,
    previousHtml: message.html,
  };
  const { uploads: uploadIds = [] } = data.references;
  const replaced: MessageDocument = {
    ...message,
    ...renderMarkdown(data.content, data.references),
    hasAttachment: uploadIds.length > 0,
    uploadIds,
    changes: message.changes + 1,
    content: data.content,
    ...alerted(data.content, documents),
    mentions: data.mentions,
    lastEditTimestamp: timestamp,
    edits: number,
  };
  return [
    { collection: 'messages', put: replaced },
    { collection: 'message_words', put: wordsOf(replaced) },
    { collection: 'message_edits', put: edit },
  ];
}

function reactionAdded({ data }: Added, documents: LoadedDocuments): readonly Change[] {
  const { messageId, userId, emoji } = data;
  return withReactions(messageId, documents, (reactions) => [...reactions, { userId, emoji }]);
}

function reactionRemoved({ data }: Removed, documents: LoadedDocuments): readonly Change[] {
  return withReactions(data.messageId, documents, (reactions) => withoutReaction(reactions, data));
}

function withReactions(
  messageId: number,
  documents: LoadedDocuments,
  change: (reactions: readonly Reaction[]) => readonly Reaction[],
): readonly Change[] {
  const message = documents.get<MessageDocument>('messages', messageId);
  if (message === null) return [];
  const reactions = change(message.reactions);
  const hasReaction = reactions.length > 0;
  const changes = message.changes + 1;
  return [{ collection: 'messages', put: { ...message, changes, reactions, hasReaction } }];
}

function submessageAttached({ data }: Attached, documents: LoadedDocuments): readonly Change[] {
  const { messageId, ...submessage } = data;
  const message = documents.get<MessageDocument>('messages', messageId);
  if (message === null) return [];
  const changes = message.changes + 1;
  const submessages = [...message.submessages, submessage];
  return [{ collection: 'messages', put: { ...message, changes, submessages } }];
}
