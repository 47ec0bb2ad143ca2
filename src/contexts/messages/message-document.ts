import type { Mentions, ReadOnArrival, Recipient } from '../../events/messages.js';
import type { Reaction } from './reactions/reaction.js';
import type { Submessage } from './submessages/submessage.js';
import type { UploadedMedia } from '../../markdown/media.js';
import type { RenderReferences } from '../../markdown/references.js';
import type { RecordedEvent } from '../../kernel/event.js';

/**
 * A message as the read model keeps it. The reader's flags, and names that may change, are added on reading.
 */
export type MessageDocument = {
  readonly _id: number;
  /** How many events it includes: with the id this identifies one state of the message. */
  readonly changes: number;
  readonly senderId: number;
  /** Null for direct messages. */
  readonly channelId: number | null;
  /**
   * Number of the placement by which it came to its channel; 0 when it was sent there, and for direct
   * messages.
   */
  readonly arrival: number;
  /** As written; null for direct messages. */
  readonly topic: string | null;
  /** Topics are compared by this key; null for direct messages. */
  readonly topicKey: string | null;
  readonly isResolved: boolean;
  /** Key of the direct-message conversation; null for channel messages. */
  readonly conversation: string | null;
  /** Ids of everyone in the conversation, in rising order; null for channel messages. */
  readonly participantIds: readonly number[] | null;
  readonly isGroupConversation: boolean;
  /** `recipient_id` of the API: the same number for everyone who sees the message. */
  readonly recipientId: number;
  /** Raw Markdown. */
  readonly content: string;
  /** Null: the HTML is what {@link plainHtml} makes of the content, so that most texts are stored once. */
  readonly html: string | null;
  readonly isMeMessage: boolean;
  readonly hasLink: boolean;
  readonly hasImage: boolean;
  /** Whether it refers to an upload. */
  readonly hasAttachment: boolean;
  /** Ids of the uploads that it refers to; those that its writer could not see are left out. */
  readonly uploadIds: readonly number[];
  /**
   * Ids of the bots that receive it because it mentions them, while it lies where it was sent: see {@link
   * botsGiven}.
   */
  readonly givenToIds: readonly number[];
  readonly mentions: Mentions;
  /** Whom it mentions, as an index holds them (see `mentionedIds`). */
  readonly mentionedIds: readonly number[];
  /** Seconds since the UNIX epoch. */
  readonly timestamp: number;
  readonly client: string;
  readonly readBySender: boolean;
  /** Who has it as read when it arrives; null: nobody. */
  readonly readOnArrival: ReadOnArrival | null;
  /** Id of the event because of which the server sent it; null for messages that somebody sent. */
  readonly causedBy: string | null;
  /** Ids of people who muted the sender when it was sent, in rising order: it arrived as read for them. */
  readonly mutedByIds: readonly number[];
  /**
   * Ids of people whose alert words it holds, as of its writing, in rising order. In a channel this does not
   * say that the message reached them.
   */
  readonly alertedIds: readonly number[];
  /** Seconds since the UNIX epoch; null if the text was never edited. */
  readonly lastEditTimestamp: number | null;
  /** How many {@link MessageEditDocument}s there are. */
  readonly edits: number;
  /** Oldest first; at most `budgets.reactions.max`. */
  readonly reactions: readonly Reaction[];
  readonly hasReaction: boolean;
  /** What is attached to it, oldest first; at most `budgets.submessages.max`. */
  readonly submessages: readonly Submessage[];
  /**
   * Seconds since the UNIX epoch; null if it was never moved. Resolving a topic or changing the case of its
   * letters does not count.
   */
  readonly lastMovedTimestamp: number | null;
  /**
   * Ids of its {@link MoveDocument}s, oldest first; a move is stored once for all the messages that it moved.
   */
  readonly moves: readonly string[];
  /**
   * The resolved names of a text that shows an image which was not examined yet: the text is rendered again
   * after that. Null otherwise.
   */
  readonly pendingReferences: RenderReferences | null;
  /** Whether its channel counted as inactive until it was sent. */
  readonly endsInactivity: boolean;
};

/** What is known of an upload that messages may show; its id is the upload's. */
export type MediaDocument = UploadedMedia & { readonly _id: number };

/** Fields by which the index of texts is queried, see `termsIn`; no document has them. */
export type MessageTerms = { readonly words?: readonly string[] };

/** The most frequent values of {@link MessageDocument}s; stores omit them from documents. */
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
  endsInactivity: false,
} as const satisfies Partial<MessageDocument>;

/** The HTML of a text without any markup. */
export function plainHtml(content: string): string {
  return `<p>${content}</p>`;
}

/** The HTML of a message. */
export function htmlOf({ html, content }: Pick<MessageDocument, 'html' | 'content'>): string {
  return html ?? plainHtml(content);
}

/** Where a message lies now, which may not be where it was sent. */
export type MessageLocation = Pick<MessageDocument, 'channelId' | 'topic' | 'participantIds'>;

/** The fields of a message's document that make a {@link MessageLocation}. */
export const placeFields = { channelId: 1, topic: 1, participantIds: 1 } as const;

/** The recipient of a message where it lies now, as events name it. */
export function recipientOf({ channelId, topic, participantIds }: MessageLocation): Recipient {
  return channelId === null
    ? { type: 'direct', userIds: [...(participantIds ?? [])] }
    : { type: 'channel', channelId, topic: topic ?? '' };
}

/**
 * What one edit replaced. Kept apart from the message, whose document so stays small however often it is
 * edited.
 */
export type MessageEditDocument = {
  /** `<message id>:<number of the edit, from 1>` */
  readonly _id: string;
  readonly messageId: number;
  readonly number: number;
  /** How many of the message's moves came before this edit. */
  readonly movesBefore: number;
  /** Id of the edit event: a move that was requested together with the edit names it as its cause. */
  readonly eventId: string;
  readonly userId: number | null;
  /** Seconds since the UNIX epoch. */
  readonly timestamp: number;
  readonly previousContent: string;
  readonly previousHtml: string;
  /** Both texts in one (see `markDifferences`): computed once, because the comparison is expensive. */
  readonly contentDifferences: string;
};

/** The id of the document of a message's edit, by the edit's number from 1. */
export function editDocumentId(messageId: number, number: number): string {
  return `${messageId}:${number}`;
}

/** The text of a message after an edit. */
export type EditedText = Pick<MessageDocument, 'content' | 'html' | 'isMeMessage'>;

/** The text that an edit replaced. */
export function textBefore({ previousContent, previousHtml }: MessageEditDocument): EditedText {
  return { content: previousContent, html: previousHtml, isMeMessage: previousContent.startsWith('/me ') };
}

/** Where a message lies, and how it came there, without its text. */
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

/** Where a deleted message lay. Client events of the deletion need it, and audits of the past. */
export type DeletionDocument = MessagePlace & {
  /** Log position of the event that deleted it. */
  readonly position: number;
};

/** Kinds of changes to messages after they were sent. */
export type ChangeKind = 'edited' | 'deleted' | 'reacted' | 'submessage' | 'left' | 'came';

/**
 * A change of a message where it lay at that time, without any text. A move of many messages has one for the
 * place that they left and one for the place that they came to.
 */
export type MessageChangeDocument = {
  /** `<position of the event>:<0, or 1 for where moved messages came>` */
  readonly _id: string;
  readonly position: number;
  /** Milliseconds since the UNIX epoch. */
  readonly at: number;
  readonly kind: ChangeKind;
  /** Null: the server itself. */
  readonly actorId: number | null;
  /** Of a move: the first message. */
  readonly messageId: number;
  readonly count: number;
} & Pick<MessageDocument, 'channelId' | 'topicKey' | 'conversation'>;

/** The document of an event that changed one message, at the message's present place. */
export function messageChangeOf(
  { position, metadata }: Pick<RecordedEvent, 'position' | 'metadata'>,
  { _id: messageId, channelId, topicKey: key, conversation }: MessageDocument,
  kind: ChangeKind,
): MessageChangeDocument {
  const { at, actorId } = metadata;
  const place = { channelId, topicKey: key, conversation };
  return { _id: `${position}:0`, position, at, kind, actorId, messageId, count: 1, ...place };
}
