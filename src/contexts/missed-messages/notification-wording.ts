import { Injectable } from '@nestjs/common';
import type { Directory } from '../../access/directory.js';
import { DirectoryFollower } from '../../access/directory-follower.js';
import type { MessageDocument } from '../messages/message-document.js';
import { shownTopic } from '../../events/values/message-text.js';
import { PublicAddress } from '../../http/public-address.js';
import { SystemClock } from '../../runtime/system-clock.js';
import { shownAvatarUrl } from '../users/avatar.js';
import { KnownPeople } from '../../access/known-people.js';
import { unknownSender, type ShownSender } from '../users/users.view.js';
import type { MissedPushDocument } from './read-model.js';
import { MessageTexts } from './message-texts.js';
import { MAX_NOTIFICATION_LENGTH } from './notification-text.js';

/** Makes the content of push notifications (docs/push-relay.md). */
@Injectable()
export class NotificationWording {
  constructor(
    private readonly follower: DirectoryFollower,
    private readonly address: PublicAddress,
    private readonly people: KnownPeople,
    private readonly clock: SystemClock,
    private readonly texts: MessageTexts,
  ) {}

  async of(
    message: MessageDocument,
    { userId, trigger }: Pick<MissedPushDocument, 'userId' | 'trigger'>,
  ): Promise<object> {
    const directory = this.follower.current();
    const text = this.texts.reading();
    const sender = await this.senderOf(message, userId);
    return {
      type: 'message',
      ...this.about(userId),
      message_id: message._id,
      trigger,
      time: message.timestamp,
      ...senderFields(message, sender, this.address.url),
      ...placeOf(message, directory),
      ...(trigger === 'mentioned' && groupMeaning(message, userId, directory)),
      content: text(message, MAX_NOTIFICATION_LENGTH),
    };
  }

  /** The notification that removes those of messages that were read. */
  removal(userId: number, messageIds: readonly number[]): object {
    return { type: 'remove', ...this.about(userId), message_ids: messageIds };
  }

  /** The sender as the person may know them; null if the account does not exist. */
  private async senderOf({ senderId }: MessageDocument, userId: number): Promise<NotedSender | null> {
    const directory = this.follower.current();
    const [sender, reader] = [directory.user(senderId), directory.user(userId)];
    if (sender === null || reader === null) return null;
    const knows = await this.people.predicateFor(reader, { directory, now: this.clock.now() });
    if (!knows(sender)) return unknownSender(senderId);
    return { fullName: sender.fullName, avatarUrl: shownAvatarUrl(directory, sender) };
  }

  private about(userId: number): object {
    return {
      realm_url: this.address.url,
      realm_name: this.follower.current().organizationName,
      user_id: userId,
    };
  }
}

type NotedSender = Pick<ShownSender, 'fullName' | 'avatarUrl'>;

function senderFields({ senderId }: MessageDocument, sender: NotedSender | null, site: string): object {
  const avatar = sender?.avatarUrl ?? '';
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

/** The smallest group by which the person is mentioned; empty if they are mentioned by name. */
function groupMeaning({ mentions }: MessageDocument, userId: number, directory: Directory): object {
  if (mentions.userIds.includes(userId)) return {};
  const [group] = mentions.groups
    .filter(({ userIds }) => userIds.includes(userId))
    .sort((one, other) => one.userIds.length - other.userIds.length);
  if (group === undefined) return {};
  const name = directory.group(group.groupId)?.name ?? '';
  return { mentioned_user_group_id: group.groupId, mentioned_user_group_name: name };
}
