import { hasReceived } from '../../channels/subscription.js';
import type { MessageDocument } from '../message-document.js';
import type { Reader } from './reader.js';

/** The reader's flags on a message (facts, section 4). A message that never reached them counts as read. */
export function flagsOf(
  message: MessageDocument,
  { moment: { directory }, user }: Reader,
): readonly string[] {
  const { channelId, senderId } = message;
  if (channelId !== null && !hasReceived(directory.subscription(channelId, user.id), message._id)) {
    return ['read', 'historical'];
  }
  const flags: string[] = [];
  if (senderId === user.id && message.readBySender) flags.push('read');
  flags.push(...mentionFlags(message, user.id));
  return flags;
}

function mentionFlags({ mentions }: MessageDocument, userId: number): readonly string[] {
  const { userIds, groups, channelWildcard, topicWildcard } = mentions;
  const flags: string[] = [];
  if (userIds.includes(userId) || groups.some((group) => group.userIds.includes(userId)))
    flags.push('mentioned');
  if (channelWildcard) flags.push('stream_wildcard_mentioned');
  if (topicWildcard) flags.push('topic_wildcard_mentioned');
  if (channelWildcard || topicWildcard) flags.push('wildcard_mentioned');
  return flags;
}
