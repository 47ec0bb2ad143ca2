import { ownerOfBot } from './account-owners.js';
import type { Channel } from './records/channel.js';
import type { ChannelPrivacy } from '../events/channels.js';
import { isSubscribed } from './records/subscription.js';
import { isAdministrator, isGuest } from './records/roles.js';
import type { User } from './records/user.js';
import { hasPermission, isPermitted } from './membership.js';
import { channelPermission } from './channel-permission-values.js';
import type { Snapshot } from './snapshot.js';

/** Whether the organization lets a person create channels of this privacy; guests never. */
export function mayCreateChannel(snapshot: Snapshot, user: User, privacy: ChannelPrivacy): boolean {
  if (isGuest(user)) return false;
  if (privacy.isWebPublic) return hasPermission(snapshot, user, 'can_create_web_public_channel_group');
  if (privacy.inviteOnly) return hasPermission(snapshot, user, 'can_create_private_channel_group');
  return hasPermission(snapshot, user, 'can_create_public_channel_group');
}

/** Only administrators choose which channels new people are subscribed to by default. */
export function mayChooseDefaultChannels(user: User): boolean {
  return isAdministrator(user);
}

/** Only administrators manage folders, because these are the same for everyone. */
export function mayManageChannelFolders(user: User): boolean {
  return isAdministrator(user);
}

/**
 * Whether the person may read the messages of the channel: its subscribers; for a public channel everyone but
 * guests; for a private one also people who may subscribe themselves or others.
 */
export function hasContentAccess(snapshot: Snapshot, user: User, channel: Channel): boolean {
  if (isSubscribed(snapshot.directory.subscription(channel.id, user.id))) return true;
  if (channel.privacy.isWebPublic) return true;
  if (isGuest(user)) return false;
  if (!channel.privacy.inviteOnly) return true;
  return (
    isPermitted(snapshot, channelPermission(channel, 'can_subscribe_group'), user) ||
    isPermitted(snapshot, channelPermission(channel, 'can_add_subscribers_group'), user)
  );
}

/** Whether the person may know that the channel exists, with its settings and subscribers. */
export function hasMetadataAccess(snapshot: Snapshot, user: User, channel: Channel): boolean {
  return hasContentAccess(snapshot, user, channel) || mayAdministerChannel(snapshot, user, channel);
}

/** Organization administrators may administer every channel. */
export function mayAdministerChannel(snapshot: Snapshot, user: User, channel: Channel): boolean {
  if (isGuest(user)) return false;
  return (
    isAdministrator(user) ||
    isPermitted(snapshot, channelPermission(channel, 'can_administer_channel_group'), user)
  );
}

/** Who may read a channel can be changed only by people who may administer it and can read it themselves. */
export function mayChangeContentAccess(snapshot: Snapshot, user: User, channel: Channel): boolean {
  return mayAdministerChannel(snapshot, user, channel) && hasContentAccess(snapshot, user, channel);
}

export function maySetTopicsPolicy(snapshot: Snapshot, user: User): boolean {
  return hasPermission(snapshot, user, 'can_set_topics_policy_group');
}

/** Whether the organization lets the person choose who may delete the messages of a channel. */
export function maySetDeletionPolicy(snapshot: Snapshot, user: User): boolean {
  return hasPermission(snapshot, user, 'can_set_delete_message_policy_group');
}

/** Guests are subscribed by others, except to channels that are public on the web. */
export function maySubscribe(snapshot: Snapshot, user: User, channel: Channel): boolean {
  return channel.privacy.isWebPublic || (!isGuest(user) && hasContentAccess(snapshot, user, channel));
}

/** Whether the organization lets the person subscribe others to every channel that they can read. */
export function mayAddSubscribersAnywhere(snapshot: Snapshot, user: User): boolean {
  return (
    !isGuest(user) && (isAdministrator(user) || hasPermission(snapshot, user, 'can_add_subscribers_group'))
  );
}

/** Whether the person may subscribe others. */
export function mayAddSubscribers(snapshot: Snapshot, user: User, channel: Channel): boolean {
  if (isGuest(user) || !hasContentAccess(snapshot, user, channel)) return false;
  return (
    mayAddSubscribersAnywhere(snapshot, user) ||
    mayAdministerChannel(snapshot, user, channel) ||
    isPermitted(snapshot, channelPermission(channel, 'can_add_subscribers_group'), user)
  );
}

/** Whether the person may unsubscribe others; their own bots they always may. */
export function mayRemoveSubscribers(snapshot: Snapshot, user: User, channel: Channel): boolean {
  if (isGuest(user) || !hasMetadataAccess(snapshot, user, channel)) return false;
  return (
    mayAdministerChannel(snapshot, user, channel) ||
    isPermitted(snapshot, channelPermission(channel, 'can_remove_subscribers_group'), user)
  );
}

/** Bots may post wherever their owner may; the server's own bots may post everywhere. */
export function maySendTo(snapshot: Snapshot, user: User, channel: Channel): boolean {
  if (user.bot?.isSystem === true) return true;
  if (channel.isArchived) return false;
  const voices = [user, ...ownerOf(snapshot, user)];
  return (
    voices.some((voice) =>
      isPermitted(snapshot, channelPermission(channel, 'can_send_message_group'), voice),
    ) && voices.some((voice) => seesNewMessages(snapshot, voice, channel))
  );
}

/**
 * If the history is protected, only subscribers see new messages: others could not read their own messages
 * either.
 */
function seesNewMessages(snapshot: Snapshot, user: User, channel: Channel): boolean {
  if (!channel.privacy.historyPublicToSubscribers) {
    return isSubscribed(snapshot.directory.subscription(channel.id, user.id));
  }
  return hasContentAccess(snapshot, user, channel);
}

/**
 * Whether the person may send to a topic without messages; the permission to send to the channel is checked
 * separately.
 */
export function mayCreateTopic(snapshot: Snapshot, user: User, channel: Channel): boolean {
  if (user.bot?.isSystem === true) return true;
  const voices = [user, ...ownerOf(snapshot, user)];
  return voices.some((voice) =>
    isPermitted(snapshot, channelPermission(channel, 'can_create_topic_group'), voice),
  );
}

function ownerOf({ directory }: Snapshot, user: User): readonly User[] {
  const owner = ownerOfBot(directory, user);
  return owner === null ? [] : [owner];
}
