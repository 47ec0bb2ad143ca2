import type { Directory } from '../../../access/directory.js';
import { apiEmail, deliveryEmail, isShownToEveryone } from '../../../access/email-visibility.js';
import type { Channel } from '../../../access/records/channel.js';
import type { User } from '../../../access/records/user.js';
import { isoTime } from '../../cases/bundle/bundled-message.js';
import { htmlOf, type MessageDocument } from '../../../contexts/messages/message-document.js';

/** A person or a bot as a line of `people.ndjson`. */
interface ExportedPerson {
  readonly id: number;
  readonly full_name: string;
  readonly role: number;
  readonly is_bot: boolean;
  readonly bot_owner_id: number | null;
  readonly is_active: boolean;
  /** ISO 8601. */
  readonly date_joined: string;
  /** A generated address if not everybody may see the real one. */
  readonly email: string;
  /** Null: nobody whose permissions the export uses may see it. */
  readonly delivery_email: string | null;
}

/** Whether somebody may see an address depends on their role and on whose address it is. */
interface AddressViewers {
  /** One of the consenting people with the highest role; null: nobody consents. */
  readonly highest: User | null;
  readonly ids: ReadonlySet<number>;
}

/** @param consenting the people who consent */
export function addressViewers(consenting: readonly User[]): AddressViewers {
  const highest = consenting.reduce<User | null>(
    (one, other) => (one === null || other.role < one.role ? other : one),
    null,
  );
  return { highest, ids: new Set(consenting.map(({ id }) => id)) };
}

export function exportedPerson(user: User, directory: Directory, viewers: AddressViewers): ExportedPerson {
  const { id, fullName, role, bot, isActive, joinedAt } = user;
  return {
    id,
    full_name: fullName,
    role,
    is_bot: bot !== null,
    bot_owner_id: bot?.ownerId ?? null,
    is_active: isActive,
    date_joined: isoTime(joinedAt),
    email: apiEmail(directory, user),
    delivery_email: knownAddress(user, directory, viewers),
  };
}

function knownAddress(user: User, directory: Directory, { highest, ids }: AddressViewers): string | null {
  if (ids.has(user.id) || isShownToEveryone(directory, user)) return user.email;
  return highest === null ? null : deliveryEmail(directory, user, highest);
}

/** A channel as a line of `channels.ndjson`. */
interface ExportedChannel {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly creator_id: number | null;
  /** ISO 8601. */
  readonly created: string;
  readonly invite_only: boolean;
  readonly is_web_public: boolean;
  readonly history_public_to_subscribers: boolean;
  readonly is_archived: boolean;
}

export function exportedChannel(channel: Channel): ExportedChannel {
  const { id, name, description, creatorId, createdAt, privacy, isArchived } = channel;
  return {
    id,
    name,
    description,
    creator_id: creatorId,
    created: isoTime(createdAt),
    invite_only: privacy.inviteOnly,
    is_web_public: privacy.isWebPublic,
    history_public_to_subscribers: privacy.historyPublicToSubscribers,
    is_archived: isArchived,
  };
}

/** A message as a line of `messages.ndjson`: its present text and place, without earlier ones. */
interface ExportedMessage {
  readonly id: number;
  readonly sender_id: number;
  readonly sender_full_name: string | null;
  readonly type: 'channel' | 'direct';
  /** Null for direct messages, as are the name and the topic. */
  readonly channel_id: number | null;
  readonly channel_name: string | null;
  readonly topic: string | null;
  /** Everyone in the direct conversation; null: the message is in a channel. */
  readonly user_ids: readonly number[] | null;
  /** Raw Markdown. */
  readonly content: string;
  readonly rendered_content: string;
  /** ISO 8601. */
  readonly sent: string;
  /** Null: its text was never edited. */
  readonly last_edited: string | null;
  readonly reactions: readonly {
    readonly user_id: number;
    readonly emoji_name: string;
    readonly emoji_code: string;
    readonly reaction_type: string;
  }[];
  readonly upload_ids: readonly number[];
}

export function exportedMessage(message: MessageDocument, directory: Directory): ExportedMessage {
  const { _id: id, senderId, channelId, topic, participantIds, content, reactions } = message;
  return {
    id,
    sender_id: senderId,
    sender_full_name: directory.user(senderId)?.fullName ?? null,
    type: channelId === null ? 'direct' : 'channel',
    channel_id: channelId,
    channel_name: channelId === null ? null : (directory.channel(channelId)?.name ?? null),
    topic,
    user_ids: participantIds,
    content,
    rendered_content: htmlOf(message),
    sent: isoTime(message.timestamp * 1000),
    last_edited: message.lastEditTimestamp === null ? null : isoTime(message.lastEditTimestamp * 1000),
    reactions: reactions.map(({ userId, emoji: { name, code, type } }) => ({
      user_id: userId,
      emoji_name: name,
      emoji_code: code,
      reaction_type: type,
    })),
    upload_ids: message.uploadIds,
  };
}
