import type { MessageEvent } from '../../events/messages.js';
import type { FlagEvent } from '../../events/message-flags.js';
import type { MoveEvent } from '../../events/message-moves.js';
import type { MissedMessageEvent } from '../../events/missed-messages.js';
import type { OutgoingWebhookEvent } from '../../events/outgoing-webhooks.js';
import { reportTypes, type ReportEvent } from '../../events/reports.js';
import type { ResumableUploadEvent } from '../../events/resumable-uploads.js';
import type { UploadEvent } from '../../events/uploads.js';
import type { Sentences, Teller } from './teller.js';
import { listed, plain, quoted } from './wording.js';

/** Messages and what is done to them. */
export const messageSentences: Sentences<MessageEvent> = {
  MessageSent: ({ senderId, recipient, content }, told) =>
    `${told.person(senderId)} wrote to ${told.place(recipient)}: ${quoted(content)}.`,
  MessageEdited: ({ messageId, content }, told) =>
    `${told.actor} edited message ${messageId}, which now says ${quoted(content)}.`,
  MessageDeleted: ({ messageId, senderId, recipient }, told) => {
    const whose = senderId === null ? '' : `, which ${told.person(senderId)} had sent`;
    const where = recipient === null ? '' : ` to ${told.place(recipient)}`;
    return `${told.actor} deleted message ${messageId}${whose}${where}.`;
  },
  ReactionAdded: ({ messageId, userId, emoji }, told) =>
    `${told.person(userId)} reacted to message ${messageId} with :${plain(emoji.name)}:.`,
  ReactionRemoved: ({ messageId, userId, emoji }, told) =>
    `${told.person(userId)} took :${plain(emoji.name)}: back from message ${messageId}.`,
  SubmessageAttached: ({ messageId, userId, content }, told) =>
    `${told.person(userId)} took part in message ${messageId} with ${quoted(content)}.`,
};

type Movement = MoveEvent['data'];

const extents: Readonly<Record<Movement['mode'], string>> = {
  change_one: 'message',
  change_later: 'the messages from message',
  change_all: 'the messages of the topic of message',
};

function moved(data: Movement, told: Teller): string {
  const { messageId, mode, selection } = data;
  return `${extents[mode]} ${messageId} ${mode === 'change_later' ? 'on ' : ''}from ${told.channel(selection.channelId)} > ${told.topic(selection.topic)}`;
}

/** Messages that get another place. */
export const moveSentences: Sentences<MoveEvent> = {
  MessagesMoved: (data, told) => {
    const { newChannel, selection, newTopic } = data;
    const channel = told.channel(newChannel?.channelId ?? selection.channelId);
    return `${told.actor} moved ${moved(data, told)} to ${channel} > ${told.topic(newTopic)}.`;
  },
  TopicResolved: ({ selection }, told) =>
    `${told.actor} marked the topic ${told.topic(selection.topic)} of ${told.channel(selection.channelId)} as resolved.`,
  TopicUnresolved: ({ selection, newTopic }, told) =>
    `${told.actor} marked the topic ${told.topic(newTopic)} of ${told.channel(selection.channelId)} as unresolved.`,
};

function stretches(ranges: readonly { readonly from: number; readonly through: number }[]): string {
  return listed(
    ranges.map(({ from, through }) => (from === through ? String(from) : `${from} to ${through}`)),
  );
}

/** What people note on messages for themselves. */
export const flagSentences: Sentences<FlagEvent> = {
  MessagesMarkedRead: ({ userId, ranges, everything }, told) =>
    `${told.person(userId)} read ${everything === true ? 'everything: ' : ''}what they had received of the messages ${stretches(ranges)}.`,
  MessagesMarkedUnread: ({ userId, ranges }, told) =>
    `${told.person(userId)} marked as unread what they had received of the messages ${stretches(ranges)}.`,
  MessagesStarred: ({ userId, messageIds }, told) =>
    `${told.person(userId)} starred ${told.messages(messageIds)}.`,
  MessagesUnstarred: ({ userId, messageIds }, told) =>
    `${told.person(userId)} took the star off ${told.messages(messageIds)}.`,
  MessagesCollapsed: ({ userId, messageIds }, told) =>
    `${told.person(userId)} collapsed ${told.messages(messageIds)}.`,
  MessagesUncollapsed: ({ userId, messageIds }, told) =>
    `${told.person(userId)} wants to see ${told.messages(messageIds)} whole again.`,
};

const ids = (of: readonly { readonly userId: number }[]): readonly number[] => of.map(({ userId }) => userId);

/** What people who were away are told of. */
export const missedMessageSentences: Sentences<MissedMessageEvent> = {
  MessageMissed: ({ messageId, mail, push }, told) =>
    `Message ${messageId} is to be told by e-mail to ${told.people(ids(mail))}, and on their devices to ${told.people(ids(push))}.`,
  MissedMessagePushed: ({ messageId, userIds, passedUserIds }, told) =>
    `Devices of ${told.people(userIds)} were notified of message ${messageId}; ${told.people(passedUserIds)} had no need of it.`,
  MissedMessagesMailed: ({ userId, messageIds }, told) =>
    `${told.person(userId)} is written to about ${told.messages(messageIds)}.`,
  MissedMessagesPassed: ({ userId, settledIds }, told) =>
    `${told.person(userId)} need not be written to about ${told.messages(settledIds)} any more.`,
  NotificationsRemoved: ({ userId, messageIds }, told) =>
    `${told.person(userId)} read ${told.messages(messageIds)}: their devices take the notifications away.`,
};

/** Messages that are brought before the moderators. */
export const outgoingWebhookSentences: Sentences<OutgoingWebhookEvent> = {
  OutgoingWebhookRequested: ({ messageId, botId }, told) =>
    `Message ${messageId} is to be sent to where the bot ${told.person(botId)} is.`,
  OutgoingWebhookUnanswered: ({ messageId, botId }, told) =>
    `Nobody answered where the bot ${told.person(botId)} is; message ${messageId} is sent there again.`,
  OutgoingWebhookAnswered: ({ messageId, botId }, told) =>
    `Message ${messageId} was sent to where the bot ${told.person(botId)} is.`,
  OutgoingWebhookFailed: ({ messageId, botId, reason }, told) =>
    `Message ${messageId} could not be sent to where the bot ${told.person(botId)} is: ${reason}.`,
};

export const reportSentences: Sentences<ReportEvent> = {
  MessageReported: ({ messageId, reporterId, reportType, explanation }, told) =>
    `${told.person(reporterId)} reported message ${messageId} to the moderators (${reportTypes[reportType]})${explanation === '' ? '' : `: ${quoted(explanation)}`}.`,
};

/** Files. */
export const uploadSentences: Sentences<UploadEvent> = {
  FileUploaded: ({ uploadId, uploaderId, size }, told) =>
    `${told.person(uploaderId)} uploaded the file ${told.file(uploadId)}, ${size} bytes.`,
  UploadDeleted: ({ uploadId, uploaderId }, told) =>
    `${told.actor} deleted the file ${told.file(uploadId)} of ${told.person(uploaderId)}.`,
  UploadImageExamined: ({ uploadId, image }, told) =>
    image === null
      ? `The file ${told.file(uploadId)} turned out to be no image that can be shown.`
      : `The file ${told.file(uploadId)} turned out to be an image of ${image.width} by ${image.height} pixels.`,
};

/** Files that come in parts. */
export const resumableUploadSentences: Sentences<ResumableUploadEvent> = {
  ResumableUploadStarted: ({ uploaderId, name, size }, told) =>
    `${told.person(uploaderId)} began to upload ${quoted(name)} in parts, ${size} bytes.`,
  ResumableUploadExtended: ({ part: { size } }, told) =>
    `${told.actor} uploaded the next ${size} bytes of a file.`,
  ResumableUploadFinished: ({ uploadId, partNames }, told) =>
    `The file ${told.file(uploadId)} was put together from ${partNames.length} parts.`,
  ResumableUploadAbandoned: ({ isExpired }, told) =>
    isExpired
      ? 'A file that came in parts was given up, because nothing came of it for too long.'
      : `${told.actor} gave up a file that came in parts.`,
};
