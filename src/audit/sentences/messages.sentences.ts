import type { MessageEvent } from '../../events/messages.js';
import type { FlagEvent } from '../../events/message-flags.js';
import type { MoveEvent } from '../../events/message-moves.js';
import type { MissedMessageEvent } from '../../events/missed-messages.js';
import type { OutgoingWebhookEvent } from '../../events/outgoing-webhooks.js';
import { reportTypes, type ReportEvent } from '../../events/reports.js';
import type { ResumableUploadEvent } from '../../events/resumable-uploads.js';
import type { UploadEvent } from '../../events/uploads.js';
import type { Sentences, EventFormatter, SentenceTable } from './event-formatter.js';
import { counted, listed, plain, quoted } from './wording.js';

const messageSentences: Sentences<MessageEvent> = {
  MessageSent: ({ senderId, recipient, content }, format) =>
    `${format.person(senderId)} wrote to ${format.place(recipient)}: ${quoted(content)}.`,
  MessageEdited: ({ messageId, content }, format) =>
    `${format.actor} edited message ${messageId}, which now says ${quoted(content)}.`,
  MessageDeleted: ({ messageId, senderId, recipient }, format) => {
    const whose = senderId === null ? '' : ` of ${format.person(senderId)}`;
    return `${format.actor} deleted message ${messageId}${whose}${whereItWas(recipient, format)}.`;
  },
  ReactionAdded: ({ messageId, userId, emoji }, format) =>
    `${format.person(userId)} reacted to message ${messageId} with :${plain(emoji.name)}:.`,
  ReactionRemoved: ({ messageId, userId, emoji }, format) =>
    `${format.person(userId)} removed the reaction :${plain(emoji.name)}: from message ${messageId}.`,
  SubmessageAttached: ({ messageId, userId, content }, format) =>
    `${format.person(userId)} took part in message ${messageId} with ${quoted(content)}.`,
};

type Deletion = Extract<MessageEvent, { type: 'MessageDeleted' }>['data'];

/** Where a message was when it was deleted: not where it was sent to, if it was moved. */
function whereItWas(recipient: Deletion['recipient'], format: EventFormatter): string {
  if (recipient === null) return '';
  const place = format.place(recipient);
  return recipient.type === 'direct' ? `, which was a direct message to ${place}` : `, which was in ${place}`;
}

type Movement = MoveEvent['data'];

const extents: Readonly<Record<Movement['mode'], string>> = {
  change_one: 'message',
  change_later: 'the messages from message',
  change_all: 'the messages of the topic of message',
};

function moved({ messageId, mode, selection }: Movement, format: EventFormatter): string {
  const { movedMessages: count } = format;
  const from = `from ${format.channel(selection.channelId)} > ${format.topic(selection.topic)}`;
  if (count === null || (mode === 'change_one' && count === 1))
    return `${extents[mode]} ${messageId} ${mode === 'change_later' ? 'on ' : ''}${from}`;
  return `${count === 0 ? 'no messages' : counted(count, 'message')} ${from}`;
}

/** Which messages a move with a known number selected. */
const selected: Readonly<Record<Movement['mode'], (messageId: number) => string>> = {
  change_one: () => '',
  change_later: (messageId) => `, beginning with message ${messageId}`,
  change_all: (messageId) => `: the topic of message ${messageId}`,
};

function selectedIn({ messageId, mode }: Movement, { movedMessages: count }: EventFormatter): string {
  if (count === null) return '';
  if (count === 0) return `, because there were none left to move with message ${messageId}`;
  return selected[mode](messageId);
}

/** How many messages the topic had that was marked; nothing if that is unknown, or if no message was left. */
function withMessages({ movedMessages: count }: EventFormatter): string {
  return count === null || count === 0 ? '' : `, with its ${counted(count, 'message')}`;
}

const moveSentences: Sentences<MoveEvent> = {
  MessagesMoved: (data, format) => {
    const { newChannel, selection, newTopic } = data;
    const channel = format.channel(newChannel?.channelId ?? selection.channelId);
    return `${format.actor} moved ${moved(data, format)} to ${channel} > ${format.topic(newTopic)}${selectedIn(data, format)}.`;
  },
  TopicResolved: ({ selection }, format) =>
    `${format.actor} marked the topic ${format.topic(selection.topic)} of ${format.channel(selection.channelId)} as resolved${withMessages(format)}.`,
  TopicUnresolved: ({ selection, newTopic }, format) =>
    `${format.actor} marked the topic ${format.topic(newTopic)} of ${format.channel(selection.channelId)} as unresolved${withMessages(format)}.`,
};

function messageRanges(ranges: readonly { readonly from: number; readonly through: number }[]): string {
  return listed(
    ranges.map(({ from, through }) => (from === through ? String(from) : `${from} to ${through}`)),
  );
}

/** Why the server marked messages as read for a person. */
function whyMarked(userId: number, mutedUserId: number | undefined, format: EventFormatter): string {
  if (mutedUserId !== undefined) return `they muted ${format.person(mutedUserId)}`;
  if (format.isActor(userId)) return 'they left a channel';
  return `${format.isByPerson ? format.actor : 'the server'} unsubscribed them from a channel`;
}

/** Flags that people set on messages for themselves. */
const flagSentences: Sentences<FlagEvent> = {
  MessagesMarkedRead: ({ userId, ranges, everything, mutedUserId }, format) => {
    if (format.isReaction)
      return `What ${format.person(userId)} had not read of the messages ${messageRanges(ranges)} was marked as read, because ${whyMarked(userId, mutedUserId, format)}.`;
    return `${format.person(userId)} read ${everything === true ? 'everything: ' : ''}what they had received of the messages ${messageRanges(ranges)}.`;
  },
  MessagesMarkedUnread: ({ userId, ranges }, format) =>
    `${format.person(userId)} marked as unread what they had received of the messages ${messageRanges(ranges)}.`,
  MessagesStarred: ({ userId, messageIds }, format) =>
    `${format.person(userId)} starred ${format.messages(messageIds)}.`,
  MessagesUnstarred: ({ userId, messageIds }, format) =>
    `${format.person(userId)} unstarred ${format.messages(messageIds)}.`,
  MessagesCollapsed: ({ userId, messageIds }, format) =>
    `${format.person(userId)} collapsed ${format.messages(messageIds)}.`,
  MessagesUncollapsed: ({ userId, messageIds }, format) =>
    `${format.person(userId)} expanded ${format.messages(messageIds)} again.`,
};

const ids = (of: readonly { readonly userId: number }[]): readonly number[] => of.map(({ userId }) => userId);

/** Notifications about missed messages. */
const missedMessageSentences: Sentences<MissedMessageEvent> = {
  MessageMissed: ({ messageId, mail, push }, format) =>
    `Message ${messageId} was missed: ${format.people(ids(mail))} will be notified by e-mail, ${format.people(ids(push))} on their devices.`,
  MissedMessagePushed: ({ messageId, userIds, passedUserIds }, format) =>
    `Devices of ${format.people(userIds)} were notified of message ${messageId}; ${format.people(passedUserIds)} did not need it any more.`,
  MissedMessagePushDropped: ({ messageId, userIds }, format) =>
    `The notification of message ${messageId} on devices of ${format.people(userIds)} was dropped, because it could not be sent within an hour.`,
  MissedMessagesMailed: ({ userId, messageIds }, format) =>
    `${format.person(userId)} was notified by e-mail of ${format.messages(messageIds)}.`,
  MissedMessagesPassed: ({ userId, settledIds }, format) =>
    `${format.person(userId)} needs no e-mail about ${format.messages(settledIds)} any more.`,
  NotificationsRemoved: ({ userId, messageIds }, format) =>
    `The devices of ${format.person(userId)} remove the notifications of ${format.messages(messageIds)}.`,
};

const outgoingWebhookSentences: Sentences<OutgoingWebhookEvent> = {
  OutgoingWebhookRequested: ({ messageId, botId }, format) =>
    `Message ${messageId} is to be posted to the URL of the bot ${format.person(botId)}.`,
  OutgoingWebhookUnanswered: ({ messageId, botId }, format) =>
    `The URL of the bot ${format.person(botId)} did not answer; message ${messageId} will be posted to it again.`,
  OutgoingWebhookAnswered: ({ messageId, botId }, format) =>
    `Message ${messageId} was posted to the URL of the bot ${format.person(botId)}.`,
  OutgoingWebhookFailed: ({ messageId, botId, reason }, format) =>
    `Message ${messageId} could not be posted to the URL of the bot ${format.person(botId)}: ${reason}.`,
};

const reportSentences: Sentences<ReportEvent> = {
  MessageReported: ({ messageId, reporterId, reportType, explanation }, format) =>
    `${format.person(reporterId)} reported message ${messageId} to the moderators (${reportTypes[reportType]})${explanation === '' ? '' : `: ${quoted(explanation)}`}.`,
};

const uploadSentences: Sentences<UploadEvent> = {
  FileUploaded: ({ uploadId, uploaderId, size }, format) =>
    `${format.person(uploaderId)} uploaded the file ${format.file(uploadId)}, ${size} bytes.`,
  UploadDeleted: ({ uploadId, uploaderId }, format) =>
    `${format.actor} deleted the file ${format.file(uploadId)} of ${format.person(uploaderId)}.`,
  UploadImageExamined: ({ uploadId, image }, format) =>
    image === null
      ? `The file ${format.file(uploadId)} is not an image that can be shown.`
      : `The file ${format.file(uploadId)} is an image of ${image.width} by ${image.height} pixels.`,
};

const resumableUploadSentences: Sentences<ResumableUploadEvent> = {
  ResumableUploadStarted: ({ uploaderId, name, size }, format) =>
    `${format.person(uploaderId)} began to upload ${quoted(name)} in parts, ${size} bytes.`,
  ResumableUploadExtended: ({ part: { size } }, format) =>
    `${format.actor} uploaded the next ${size} bytes of a file.`,
  ResumableUploadFinished: ({ uploadId, partNames }, format) =>
    `The file ${format.file(uploadId)} was completed from ${partNames.length} parts.`,
  ResumableUploadAbandoned: ({ isExpired }, format) =>
    isExpired
      ? 'An upload in parts was abandoned, because it was not continued for too long.'
      : `${format.actor} cancelled an upload in parts.`,
};

/** The tables of this file. */
export const messageTables: readonly SentenceTable[] = [
  messageSentences,
  moveSentences,
  flagSentences,
  missedMessageSentences,
  outgoingWebhookSentences,
  reportSentences,
  uploadSentences,
  resumableUploadSentences,
];
