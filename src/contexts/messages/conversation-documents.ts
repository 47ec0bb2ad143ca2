import { topicKey } from '../../events/values/message-text.js';
import type { WordListeners } from '../attention/alert-matching.js';
import { termsIn } from './text-search/words.js';

/** A topic of a channel; it is gone when its last message is. */
export type TopicDocument = {
  /** `<channel id>:<topic key>` */
  readonly _id: string;
  readonly channelId: number;
  readonly topicKey: string;
  /** As its latest message spells it. */
  readonly name: string;
  /** What its name is searched by, see `termsIn`. */
  readonly words: readonly string[];
  readonly lastMessageId: number;
};

/** A topic at its latest message. */
export function topicDocumentOf({
  channelId,
  name,
  lastMessageId,
}: Pick<TopicDocument, 'channelId' | 'name' | 'lastMessageId'>): TopicDocument {
  const key = topicKey(name);
  const words = [...new Set(termsIn(name))].sort();
  return { _id: topicDocumentId(channelId, key), channelId, topicKey: key, name, words, lastMessageId };
}

/** What the list of channels says about a channel's messages. */
export type ChannelActivityDocument = {
  /** The channel's id. */
  readonly _id: number;
  readonly firstMessageId: number | null;
  /** When the first message was sent, though it may be deleted since: seconds since the UNIX epoch. */
  readonly firstMessageAt: number;
  /** Seconds since the UNIX epoch. */
  readonly lastMessageAt: number;
  /** Messages by day (days since the UNIX epoch, as text), the last 28 days that had any. */
  readonly perDay: Readonly<Record<string, number>>;
};

/** Who mutes a person. */
export type MutersDocument = {
  /** The muted person's id. */
  readonly _id: number;
  readonly userIds: readonly number[];
};

/** Every alert word in the organization: one document, {@link alertWordsDocumentId}. */
export type AlertWordsDocument = {
  readonly _id: string;
  readonly listeners: readonly WordListeners[];
};

/** The alert words are one document. */
export const alertWordsDocumentId = 'alert-words';

/** A direct-message conversation. */
export type ConversationDocument = {
  /** {@link conversationKey} of its participants. */
  readonly _id: string;
  readonly participantIds: readonly number[];
  readonly recipientId: number;
  /** Position in the log of its first message: it stays when that is deleted, as its participants stay acquainted. */
  readonly beganAt: number;
  readonly lastMessageId: number;
};

/** Names a conversation by its participants, whichever of them asks. */
export function conversationKey(participantIds: readonly number[]): string {
  return [...new Set(participantIds)].sort((a, b) => a - b).join(',');
}

/** Names a topic of a channel. */
export function topicDocumentId(channelId: number, topicKey: string): string {
  return `${channelId}:${topicKey}`;
}
