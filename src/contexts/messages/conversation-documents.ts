import { topicKey } from '../../events/values/message-text.js';
import type { AlertWordOwners } from '../attention/alert-matching.js';
import { termsIn } from './text-search/words.js';
import { sortedIds } from '../../kernel/ids.js';

/** A topic of a channel; its document is removed with its last message. */
export type TopicDocument = {
  /** `<channel id>:<topic key>` */
  readonly _id: string;
  readonly channelId: number;
  readonly topicKey: string;
  /** Spelled as in its latest message. */
  readonly name: string;
  /** The terms that the topic's name is searched by, see `termsIn`. */
  readonly words: readonly string[];
  readonly lastMessageId: number;
};

/** The document of a topic whose latest message this is. */
export function topicDocumentOf({
  channelId,
  name,
  lastMessageId,
}: Pick<TopicDocument, 'channelId' | 'name' | 'lastMessageId'>): TopicDocument {
  const key = topicKey(name);
  const words = [...new Set(termsIn(name))].sort();
  return { _id: topicDocumentId(channelId, key), channelId, topicKey: key, name, words, lastMessageId };
}

/** The activity of a channel that the list of channels shows. */
export type ChannelActivityDocument = {
  /** The channel's id. */
  readonly _id: number;
  readonly firstMessageId: number | null;
  /** When its newest message was sent, even if it was deleted or moved away since: seconds since the UNIX epoch. */
  readonly lastMessageAt: number;
  /** Number of messages by day (days since the UNIX epoch, as text) for the last 28 days that had any. */
  readonly perDay: Readonly<Record<string, number>>;
};

/** A channel without messages for this long counts as inactive. */
const SECONDS_UNTIL_INACTIVE = 180 * 86_400;

/** Whether a channel counts as active at a time, in seconds since the UNIX epoch. */
export function isActiveAt(
  { lastMessageAt }: Pick<ChannelActivityDocument, 'lastMessageAt'>,
  time: number,
): boolean {
  return time - lastMessageAt < SECONDS_UNTIL_INACTIVE;
}

/** The people who mute one person. */
export type MutersDocument = {
  /** The muted person's id. */
  readonly _id: number;
  readonly userIds: readonly number[];
};

/** A part of the alert words of everybody. */
export type AlertWordsDocument = {
  /** The part: see `partOfAlertWord`. */
  readonly _id: number;
  readonly listeners: readonly AlertWordOwners[];
};

/** A direct-message conversation. */
export type ConversationDocument = {
  /** {@link conversationKey} of its participants. */
  readonly _id: string;
  readonly participantIds: readonly number[];
  readonly recipientId: number;
  /**
   * Log position of the conversation's first message. It stays when that message is deleted, because its
   * participants still know each other.
   */
  readonly beganAt: number;
  readonly lastMessageId: number;
};

/** The key of a conversation: the same for all its participants. */
export function conversationKey(participantIds: readonly number[]): string {
  return sortedIds(participantIds).join(',');
}

/** The id of a topic's document. */
export function topicDocumentId(channelId: number, topicKey: string): string {
  return `${channelId}:${topicKey}`;
}
