import type { Channel } from './records/channel.js';
import type { User } from './records/user.js';
import { hasContentAccess, mayAdministerChannel } from './channel-permissions.js';
import { hasPermission, isPermitted } from './membership.js';
import { channelPermission } from './channel-permission-values.js';
import type { Snapshot } from './snapshot.js';

/** Whether the person may resolve and unresolve topics. */
export function mayResolveTopics(snapshot: Snapshot, user: User, channel: Channel): boolean {
  return (
    hasContentAccess(snapshot, user, channel) &&
    (hasPermission(snapshot, user, 'can_resolve_topics_group') ||
      isPermitted(snapshot, channelPermission(channel, 'can_resolve_topics_group'), user))
  );
}

/** Whether the person may move messages to another topic of the channel. */
export function mayMoveWithinChannel(snapshot: Snapshot, user: User, channel: Channel): boolean {
  return (
    hasContentAccess(snapshot, user, channel) &&
    (hasPermission(snapshot, user, 'can_move_messages_between_topics_group') ||
      mayAdministerChannel(snapshot, user, channel) ||
      isPermitted(snapshot, channelPermission(channel, 'can_move_messages_within_channel_group'), user))
  );
}

/**
 * Whether the person may move messages to another channel; the permission to post there is checked
 * separately.
 */
export function mayMoveOutOfChannel(snapshot: Snapshot, user: User, channel: Channel): boolean {
  return (
    hasContentAccess(snapshot, user, channel) &&
    (hasPermission(snapshot, user, 'can_move_messages_between_channels_group') ||
      mayAdministerChannel(snapshot, user, channel) ||
      isPermitted(snapshot, channelPermission(channel, 'can_move_messages_out_of_channel_group'), user))
  );
}

/** Whether the person may delete any message, at any age. A direct message has no channel. */
export function mayDeleteAnyMessage(snapshot: Snapshot, user: User, channel: Channel | null): boolean {
  if (hasPermission(snapshot, user, 'can_delete_any_message_group')) return true;
  if (channel === null || !hasContentAccess(snapshot, user, channel)) return false;
  return isPermitted(snapshot, channelPermission(channel, 'can_delete_any_message_group'), user);
}

/**
 * Whether the person may delete a message of their own, or of a bot that they own, within the organization's
 * time limit.
 */
export function mayDeleteOwnMessage(snapshot: Snapshot, user: User, channel: Channel | null): boolean {
  if (hasPermission(snapshot, user, 'can_delete_own_message_group')) return true;
  if (channel === null || !hasContentAccess(snapshot, user, channel)) return false;
  return isPermitted(snapshot, channelPermission(channel, 'can_delete_own_message_group'), user);
}

/** Whether a message counts as the person's own for deletion: they sent it, or a bot that they own. */
export function isOwnMessage(user: User, sender: User): boolean {
  return sender.id === user.id || (sender.bot !== null && sender.bot.ownerId === user.id);
}
