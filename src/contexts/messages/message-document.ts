import type { Mentions, ReadOnArrival, Recipient } from '../../events/messages.js';
import type { Reaction } from './reaction.js';
import type { Submessage } from './submessages/submessage.js';
import type { UploadedMedia } from '../../markdown/media.js';
import type { RenderReferences } from '../../markdown/references.js';
import type { RecordedEvent } from '../../kernel/event.js';

/** A message as the read model keeps it. Flags and names that may change are added when it is read. */
export type MessageDocument = {
  readonly _id: number;
  /** How many events it reflects: with the id it names this state of the message. */
  readonly changes: number;
  readonly senderId: number;
  /** Null for direct messages. */
  readonly channelId: number | null;
  /** Number of the arrival by which it came to its channel; 0 when it was sent there, and for direct messages. */
  readonly arrival: number;
  /** As written; null for direct messages. */
  readonly topic: string | null;
  /** What topics are compared by; null for direct messages. */
  readonly topicKey: string | null;
  readonly isResolved: boolean;
  /** Key of the direct-message conversation; null for channel messages. */
  readonly conversation: string | null;
  /** Everyone in the conversation, rising; null for channel messages. */
  readonly participantIds: readonly number[] | null;
  readonly isGroupConversation: boolean;
  /** The same number for everyone who sees the message. */
  readonly recipientId: number;
  /** Raw Markdown. */
  readonly content: string;
  /** Null: what {@link plainHtml} makes of the text, so that most texts stand there once. */
  readonly html: string | null;
  readonly isMeMessage: boolean;
  readonly hasLink: boolean;
  readonly hasImage: boolean;
  /** Whether it refers to an upload. */
  readonly hasAttachment: boolean;
  /** Ids of the uploads that it refers to, as far as its writer could see them. */
  readonly uploadIds: readonly number[];
  /** Bots that it was given to because it mentions them, while it lies where it was sent: see {@link botsGiven}. */
  readonly givenToIds: readonly number[];
  readonly mentions: Mentions;
  /** Whom it means, as an index holds them (see `mentionedIds`). */
  readonly mentionedIds: readonly number[];
  /** Seconds since the UNIX epoch. */
  readonly timestamp: number;
  readonly client: string;
  readonly readBySender: boolean;
  /** Null: whoever receives it has yet to read it. */
  readonly readOnArrival: ReadOnArrival | null;
  /** Id of the event because of which the server sent it; null for what somebody sent. */
  readonly causedBy: string | null;
  /** People who muted the sender when it was sent, rising: it arrived as read. */
  readonly mutedByIds: readonly number[];
  /** People whose alert words it holds, as of its writing, rising; whether it reached them is another matter, but for a direct message. */
  readonly alertedIds: readonly number[];
  /** Seconds since the UNIX epoch; null while the text was never edited. */
  readonly lastEditTimestamp: number | null;
  /** How many {@link MessageEditDocument}s there are. */
  readonly edits: number;
  /** Oldest first; at most `budgets.reactions.max`. */
  readonly reactions: readonly Reaction[];
  readonly hasReaction: boolean;
  /** What is attached to it, oldest first; at most `budgets.submessages.max`. */
  readonly submessages: readonly Submessage[];
  /** Seconds since the UNIX epoch; null while it was never moved, save for marks and the case of letters. */
  readonly lastMovedTimestamp: number | null;
  /** Keys of its moves, oldest first; what each was stands once, for all the messages that it moved. */
  readonly moves: readonly string[];
  /** What its names resolved to, while it shows an image that nobody has looked into yet: it is rendered again then; else null. */
  readonly pendingReferences: RenderReferences | null;
};

/** What is known of an upload that messages may show; its id is that of the upload. */
export type MediaDocument = UploadedMedia & { readonly _id: number };

/** What is asked of messages by the index of what they say, see `termsIn`; it stands in no document. */
export type MessageTerms = { readonly words?: readonly string[] };

/** What {@link MessageDocument}s mostly are; stores leave it out of them. */
export const messageDefaults = {
  changes: 1,
  channelId: null,
  arrival: 0,
  topic: null,
  topicKey: null,
  isResolved: false,
  conversation: null,
  participantIds: null,
  isGroupConversation: false,
  html: null,
  isMeMessage: false,
  hasLink: false,
  hasImage: false,
  hasAttachment: false,
  uploadIds: [],
  mentions: { userIds: [], groups: [], channelWildcard: false, topicWildcard: false },
  mentionedIds: [],
  client: 'website',
  readBySender: true,
  readOnArrival: null,
  givenToIds: [],
  causedBy: null,
  mutedByIds: [],
  alertedIds: [],
  lastEditTimestamp: null,
  edits: 0,
  reactions: [],
  hasReaction: false,
  submessages: [],
  lastMovedTimestamp: null,
  moves: [],
  pendingReferences: null,
} as const satisfies Partial<MessageDocument>;

/** The HTML of a text without any markup. */
export function plainHtml(content: string): string {
  return `<p>${content}</p>`;
}

/** The HTML of a message. */
export function htmlOf({ html, content }: Pick<MessageDocument, 'html' | 'content'>): string {
  return html ?? plainHtml(content);
}

/** Where a message lies now, which may be elsewhere than where it was sent. */
export type MessagePlacement = Pick<MessageDocument, 'channelId' | 'topic' | 'participantIds'>;

/** What of a message's document its {@link MessagePlacement} is. */
export const placeFields = { channelId: 1, topic: 1, participantIds: 1 } as const;

/** Where a message lies, as events name it. */
export function recipientOf({ channelId, topic, participantIds }: MessagePlacement): Recipient {
  return channelId === null
    ? { type: 'direct', userIds: [...(participantIds ?? [])] }
    : { type: 'channel', channelId, topic: topic ?? '' };
}

/** What one edit replaced: kept apart, so that a message stays small however often it is edited. */
export type MessageEditDocument = {
  /** `<message id>:<number of the edit, from 1>` */
  readonly _id: string;
  readonly messageId: number;
  readonly number: number;
  /** How many of the message's moves came before it. */
  readonly movesBefore: number;
  /** Id of the event: a move that was asked for together with the edit names it. */
  readonly eventId: string;
  readonly userId: number | null;
  /** Seconds since the UNIX epoch. */
  readonly timestamp: number;
  readonly previousContent: string;
  readonly previousHtml: string;
  /** Both texts in one (see `markDifferences`): made once, because comparing takes long. */
  readonly contentDifferences: string;
};

/** Where a message lies, and how it came there: nothing of what it says. */
export type MessagePlace = Pick<
  MessageDocument,
  | '_id'
  | 'senderId'
  | 'channelId'
  | 'arrival'
  | 'topic'
  | 'topicKey'
  | 'conversation'
  | 'participantIds'
  | 'givenToIds'
  | 'moves'
>;

/** Where a message lay that was deleted: who was told of it is told that it is gone, and auditors find it in the past. */
export type DeletionDocument = MessagePlace & {
  /** Of the event that deleted it. */
  readonly position: number;
};

/** What happens to messages after they were sent. */
export type ChangeKind = 'edited' | 'deleted' | 'reacted' | 'submessage' | 'left' | 'came';

/**
 * That something happened to a message where it lay then, and nothing of what was said: of a move that took many along, one for where they
 * left and one for where they came.
 */
export type MessageChangeDocument = {
  /** `<position of the event>:<0, or 1 for where moved messages came>` */
  readonly _id: string;
  readonly position: number;
  /** Milliseconds since the UNIX epoch. */
  readonly at: number;
  readonly kind: ChangeKind;
  /** Null: the server. */
  readonly actorId: number | null;
  /** Of a move the first one. */
  readonly messageId: number;
  readonly count: number;
} & Pick<MessageDocument, 'channelId' | 'topicKey' | 'conversation'>;

/** That an event changed one message, where it lies. */
export function messageChangeOf(
  { position, metadata }: Pick<RecordedEvent, 'position' | 'metadata'>,
  { _id: messageId, channelId, topicKey: key, conversation }: MessageDocument,
  kind: ChangeKind,
): MessageChangeDocument {
  const { at, actorId } = metadata;
  const place = { channelId, topicKey: key, conversation };
  return { _id: `${position}:0`, position, at, kind, actorId, messageId, count: 1, ...place };
}
