import { Injectable } from '@nestjs/common';
import type { Directory } from '../../access/directory.js';
import { DirectoryFollower } from '../../access/directory-follower.js';
import { htmlOf, type MessageDocument } from '../messages/message-document.js';
import { shownTopic } from '../../events/values/message-text.js';
import { PublicAddress } from '../organization/public-address.js';
import { shownAvatarUrl } from '../users/avatar.js';
import type { MissedPushDocument } from './read-model.js';
import { notificationText } from './notification-text.js';

/** What devices are told of messages (docs/push-relay.md). */
@Injectable()
export class NotificationWording {
  constructor(
    private readonly follower: DirectoryFollower,
    private readonly address: PublicAddress,
  ) {}

  of(message: MessageDocument, { userId, trigger }: Pick<MissedPushDocument, 'userId' | 'trigger'>): object {
    const directory = this.follower.current();
    return {
      type: 'message',
      ...this.about(userId),
      message_id: message._id,
      trigger,
      time: message.timestamp,
      ...senderOf(message, directory, this.address.url),
      ...placeOf(message, directory),
      ...(trigger === 'mentioned' && groupMeaning(message, userId, directory)),
      content: notificationText(htmlOf(message)),
    };
  }

  /** That somebody has read messages, which their devices need not show any more. */
  removal(userId: number, messageIds: readonly number[]): object {
    return { type: 'remove', ...this.about(userId), message_ids: messageIds };
  }

  private about(userId: number): object {
    return {
      realm_url: this.address.url,
      realm_name: this.follower.current().organizationName,
      user_id: userId,
    };
  }
}

function senderOf({ senderId }: MessageDocument, directory: Directory, site: string): object {
  const sender = directory.user(senderId);
  const avatar = sender === null ? '' : shownAvatarUrl(directory, sender);
  return {
    sender_id: senderId,
    sender_avatar_url: avatar.startsWith('/') ? `${site}${avatar}` : avatar,
    sender_full_name: sender?.fullName ?? '',
  };
}

function placeOf({ channelId, topic, participantIds }: MessageDocument, directory: Directory): object {
  if (channelId === null) return { recipient_type: 'direct', recipient_user_ids: participantIds };
  return {
    recipient_type: 'channel',
    channel_id: channelId,
    channel_name: directory.channel(channelId)?.name ?? '',
    topic: shownTopic(topic ?? '', { allowEmptyTopicName: true }),
  };
}

/** The smallest group by whose name somebody is meant who is not meant by their own. */
function groupMeaning({ mentions }: MessageDocument, userId: number, directory: Directory): object {
  if (mentions.userIds.includes(userId)) return {};
  const [group] = mentions.groups
    .filter(({ userIds }) => userIds.includes(userId))
    .sort((one, other) => one.userIds.length - other.userIds.length);
  if (group === undefined) return {};
  const name = directory.group(group.groupId)?.name ?? '';
  return { mentioned_user_group_id: group.groupId, mentioned_user_group_name: name };
}
