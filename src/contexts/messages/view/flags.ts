import type { Knows } from '../../../access/known-people.js';
import { isRead, reached, type FlaggedMessage, type FlagsOwner } from '../flags/flags.state.js';
import { hasId } from '../flags/id-ranges.js';
import { isMeantByTopic, isNamed } from '../mentions.js';
import type { MessageDocument } from '../message-document.js';

/** The requested form of messages (`GET /messages`). */
export interface MessageFormat {
  /** HTML rather than raw Markdown. */
  readonly applyMarkdown: boolean;
  /** Omit avatar URLs that the client can compute from the e-mail address. */
  readonly clientGravatar: boolean;
  /** Give the empty topic as empty text rather than by its display name. */
  readonly allowEmptyTopicName: boolean;
  /** Say in each reaction who reacted, with their name; absent: only their id. */
  readonly namesReactingUsers?: boolean;
}

/** The reader, and the form in which they get messages. */
export interface Reader extends FlagsOwner, MessageFormat {
  /** Whom the reader may know. */
  readonly knows: Knows;
}

/** The reader's flags on a message. A message that never reached them counts as read. */
export function flagsOf(
  message: FlaggedMessage & Pick<MessageDocument, 'mentions' | 'alertedIds'>,
  reader: FlagsOwner,
): readonly string[] {
  const { flags, user } = reader;
  const names: string[] = [];
  if (isRead(reader, message)) names.push('read');
  if (hasId(flags.starred, message._id)) names.push('starred');
  if (hasId(flags.collapsed, message._id)) names.push('collapsed');
  if (reached(reader, message))
    names.push(...mentionFlags(message, user.id), ...alertFlags(message, user.id));
  else names.push('historical');
  return names;
}

function alertFlags({ alertedIds }: Pick<MessageDocument, 'alertedIds'>, userId: number): readonly string[] {
  return alertedIds.includes(userId) ? ['has_alert_word'] : [];
}

function mentionFlags({ mentions }: Pick<MessageDocument, 'mentions'>, userId: number): readonly string[] {
  const { channelWildcard } = mentions;
  const topicWildcard = isMeantByTopic(mentions, userId);
  const flags: string[] = [];
  if (isNamed(mentions, userId)) flags.push('mentioned');
  if (channelWildcard) flags.push('stream_wildcard_mentioned');
  if (topicWildcard) flags.push('topic_wildcard_mentioned');
  if (channelWildcard || topicWildcard) flags.push('wildcard_mentioned');
  return flags;
}
