import { Injectable } from '@nestjs/common';
import { DirectoryFollower } from '../directory/directory-follower.js';
import { toSeconds } from '../kernel/clock.js';
import type { MessageDocument } from '../messages/message-document.js';
import { shownTopic } from '../messages/text.js';
import { PublicAddress } from '../organization/public-address.js';
import { SystemClock } from '../system-clock.js';
import type { MissedPushDocument } from './missed-document.js';

/** Code points of a message that a notification shows. */
const longest = 200;

/** What devices are told of messages (docs/push-relay.md). */
@Injectable()
export class NotificationWording {
  constructor(
    private readonly follower: DirectoryFollower,
    private readonly address: PublicAddress,
    private readonly clock: SystemClock,
  ) {}

  of(message: MessageDocument, { userId, trigger }: Pick<MissedPushDocument, 'userId' | 'trigger'>): object {
    const directory = this.follower.current();
    const { senderId, channelId, participantIds } = message;
    const place =
      channelId === null
        ? { recipient_type: 'direct', user_ids: participantIds }
        : {
            recipient_type: 'channel',
            channel_id: channelId,
            channel_name: directory.channel(channelId)?.name ?? '',
            topic: shownTopic(message.topic ?? '', { allowEmptyTopicName: true }),
          };
    return {
      type: 'message',
      realm_url: this.address.url,
      realm_name: directory.organization?.settings.name ?? '',
      user_id: userId,
      message_id: message._id,
      trigger,
      time: toSeconds(this.clock.now()),
      sender_id: senderId,
      sender_full_name: directory.user(senderId)?.fullName ?? '',
      ...place,
      content: cut(message.content),
    };
  }
}

function cut(content: string): string {
  const points = [...content];
  return points.length <= longest ? content : `${points.slice(0, longest).join('')}…`;
}
