import { messagesModel } from '../src/contexts/messages/read-model.js';
import type { Recorded } from '../src/kernel/event.js';
import { handlers } from '../src/kernel/on.js';
import { toSeconds } from '../src/kernel/clock.js';
import { AlertWordsAdded, AlertWordsRemoved, PersonMuted, PersonUnmuted } from '../src/events/attention.js';
import {
  MessageDeleted,
  MessageEdited,
  MessageSent,
  ReactionAdded,
  ReactionRemoved,
} from '../src/events/messages.js';
import { moveEvents } from '../src/events/message-moves.js';
import {
  htmlOf,
  messageChangeOf,
  type MessageDocument,
  type MessageEditDocument,
} from '../src/contexts/messages/message-document.js';
import {
  conversationKey,
  topicDocumentOf,
  type ChannelActivityDocument,
  type ConversationDocument,
} from '../src/contexts/messages/conversation-documents.js';
import { mentionedIds } from '../src/contexts/messages/mentions.js';
import { withoutReaction, type Reaction } from '../src/contexts/messages/reaction.js';
import { SubmessageAttached } from '../src/events/submessages.js';
import { firstSubmessages } from '../src/contexts/messages/submessages/submessage.js';
import { isResolvedTopic, topicKey } from '../src/events/values/message-text.js';
import { markDifferences } from '../src/contexts/messages/text-differences.js';
import {
  on,
  type Change,
  type DocumentReference,
  type LoadedDocuments,
  type Projection,
} from './engine/projection.js';
import { alerted, alertWords, mutedBy, mutersOf, muting, wording } from './message-attention.js';
import { keptHtml, mediaReads, onMedia, rendered } from './message-media.js';
import { withoutMessages } from './message-deletions.js';
import { moved } from './message-moves.js';

/** Messages and their edits, their topics and conversations, and the activity of channels. */
export const messagesProjection: Projection = {
  ...messagesModel,
  on: handlers(
    on(MessageSent, {
      reads: (event) => [
        placeOf(event),
        mutersOf(event.data.senderId),
        alertWords,
        ...mediaReads(event.data),
      ],
      apply: sent,
    }),
    on(MessageEdited, {
      reads: (event) => [messageOf(event), alertWords, ...mediaReads(event.data)],
      apply: edited,
    }),
    on(MessageDeleted, { applyRun: withoutMessages }),
    on(ReactionAdded, {
      reads: (event) => [messageOf(event)],
      apply: reactionAdded,
    }),
    on(ReactionRemoved, {
      reads: (event) => [messageOf(event)],
      apply: reactionRemoved,
    }),
    on(SubmessageAttached, {
      reads: (event) => [messageOf(event)],
      apply: submessageAttached,
    }),
    on([PersonMuted, PersonUnmuted], muting),
    on([AlertWordsAdded, AlertWordsRemoved], wording),
    on(moveEvents, { applyAlone: moved }),
    onMedia,
  ),
};

function messageOf({
  data,
}: Recorded<
  typeof MessageEdited | typeof ReactionAdded | typeof ReactionRemoved | typeof SubmessageAttached
>): DocumentReference {
  return { collection: 'messages', id: data.messageId };
}

function placeOf({ data: { recipient } }: Recorded<typeof MessageSent>): DocumentReference {
  if (recipient.type === 'direct') {
    return { collection: 'conversations', id: conversationKey(recipient.userIds) };
  }
  return { collection: 'channel_activity', id: recipient.channelId };
}

function sent(event: Recorded<typeof MessageSent>, documents: LoadedDocuments): readonly Change[] {
  return event.data.recipient.type === 'direct'
    ? sentDirectly(event, documents)
    : sentToChannel(event, documents);
}

function sentToChannel(event: Recorded<typeof MessageSent>, documents: LoadedDocuments): readonly Change[] {
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
    { collection: 'channel_activity', put: busier(activity, message) },
  ];
}

function sentDirectly(event: Recorded<typeof MessageSent>, documents: LoadedDocuments): readonly Change[] {
  const { recipient } = event.data;
  if (recipient.type !== 'direct') return [];
  const key = conversationKey(recipient.userIds);
  const messageId = event.revision + 1;
  const known = documents.get<ConversationDocument>('conversations', key);
  const conversation: ConversationDocument = {
    _id: key,
    participantIds: recipient.userIds,
    recipientId: known?.recipientId ?? messageId * 2 + 1,
    beganAt: known?.beganAt ?? event.position,
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
    { collection: 'conversations', put: conversation },
  ];
}

/** The place of a message. */
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

/** Copies field by field: spreading objects with so many fields would take a tenth of a rebuild's time. */
function messageAt(
  { revision, data, metadata }: Recorded<typeof MessageSent>,
  documents: LoadedDocuments,
  place: Place,
): MessageDocument {
  const { senderId, content } = data;
  const text = rendered(data, documents);
  const { uploads: uploadIds = [] } = data.references;
  return {
    _id: revision + 1,
    changes: 1,
    senderId,
    content,
    html: keptHtml(text.html, content),
    hasLink: text.hasLink,
    hasImage: text.hasImage,
    hasAttachment: uploadIds.length > 0,
    uploadIds,
    isMeMessage: text.isMeMessage,
    givenToIds: data.givenToIds ?? [],
    mentions: data.mentions,
    mentionedIds: mentionedIds(data.mentions, place.participantIds),
    timestamp: toSeconds(metadata.at),
    client: metadata.client,
    readBySender: data.readBySender,
    readOnArrival: data.readOnArrival ?? null,
    causedBy: metadata.causationId,
    mutedByIds: mutedBy(senderId, documents).mutedByIds,
    alertedIds: alerted({ content, participantIds: place.participantIds }, documents).alertedIds,
    lastEditTimestamp: null,
    edits: 0,
    reactions: [],
    hasReaction: false,
    submessages: firstSubmessages(data),
    arrival: 0,
    lastMovedTimestamp: null,
    moves: [],
    pendingReferences: text.pendingReferences,
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

function edited(event: Recorded<typeof MessageEdited>, documents: LoadedDocuments): readonly Change[] {
  const { id, data, metadata } = event;
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
    previousHtml: htmlOf(message),
    contentDifferences: markDifferences(message.content, data.content),
  };
  const { uploads: uploadIds = [] } = data.references;
  const text = rendered(data, documents);
  const replaced: MessageDocument = {
    ...message,
    ...text,
    html: keptHtml(text.html, data.content),
    hasAttachment: uploadIds.length > 0,
    uploadIds,
    changes: message.changes + 1,
    content: data.content,
    ...alerted({ content: data.content, participantIds: message.participantIds }, documents),
    mentions: data.mentions,
    mentionedIds: mentionedIds(data.mentions, message.participantIds),
    lastEditTimestamp: timestamp,
    edits: number,
  };
  return [
    { collection: 'messages', put: replaced },
    { collection: 'message_edits', put: edit },
    { collection: 'message_changes', put: messageChangeOf(event, message, 'edited') },
  ];
}

function reactionAdded(event: Recorded<typeof ReactionAdded>, documents: LoadedDocuments): readonly Change[] {
  const { userId, emoji } = event.data;
  return withReactions(event, documents, (reactions) => [...reactions, { userId, emoji }]);
}

function reactionRemoved(
  event: Recorded<typeof ReactionRemoved>,
  documents: LoadedDocuments,
): readonly Change[] {
  return withReactions(event, documents, (reactions) => withoutReaction(reactions, event.data));
}

function withReactions(
  event: Recorded<typeof ReactionAdded | typeof ReactionRemoved>,
  documents: LoadedDocuments,
  change: (reactions: readonly Reaction[]) => readonly Reaction[],
): readonly Change[] {
  const message = documents.get<MessageDocument>('messages', event.data.messageId);
  if (message === null) return [];
  const reactions = change(message.reactions);
  const hasReaction = reactions.length > 0;
  const changes = message.changes + 1;
  return [
    { collection: 'messages', put: { ...message, changes, reactions, hasReaction } },
    { collection: 'message_changes', put: messageChangeOf(event, message, 'reacted') },
  ];
}

function submessageAttached(
  event: Recorded<typeof SubmessageAttached>,
  documents: LoadedDocuments,
): readonly Change[] {
  const { messageId, ...submessage } = event.data;
  const message = documents.get<MessageDocument>('messages', messageId);
  if (message === null) return [];
  const changes = message.changes + 1;
  const submessages = [...message.submessages, submessage];
  return [
    { collection: 'messages', put: { ...message, changes, submessages } },
    { collection: 'message_changes', put: messageChangeOf(event, message, 'submessage') },
  ];
}
