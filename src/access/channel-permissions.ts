import type { Channel } from './records/channel.js';
import type { ChannelPrivacy } from '../events/channels.js';
import { isSubscribed } from './records/subscription.js';
import { isAdministrator, isGuest } from './records/roles.js';
import type { User } from './records/user.js';
import { includes } from './membership.js';
import type { Snapshot } from './snapshot.js';
import { holds } from './organization-permission.js';

/** Whom the organization lets create channels of that privacy; never a guest. */
export function mayCreateChannel(snapshot: Snapshot, user: User, privacy: ChannelPrivacy): boolean {
  if (isGuest(user)) return false;
  if (privacy.isWebPublic) return holds(snapshot, user, 'can_create_web_public_channel_group');
  if (privacy.inviteOnly) return holds(snapshot, user, 'can_create_private_channel_group');
  return holds(snapshot, user, 'can_create_public_channel_group');
}

/** Whether a channel is the organization's default for new people is for administrators to say. */
export function mayChooseDefaultChannels(user: User): boolean {
  return isAdministrator(user);
}

/** Folders are the same for everyone, so administrators make and change them. */
export function mayManageChannelFolders(user: User): boolean {
  return isAdministrator(user);
}

/**
 * Whether the person may read what is written in the channel: its subscribers, for a public channel everyone but guests,
 * for a private one also those who may subscribe themselves or others.
 */
export function hasContentAccess(snapshot: Snapshot, user: User, channel: Channel): boolean {
  if (isSubscribed(snapshot.directory.subscription(channel.id, user.id))) return true;
  if (channel.privacy.isWebPublic) return true;
  if (isGuest(user)) return false;
  if (!channel.privacy.inviteOnly) return true;
  return (
    includes(snapshot, channel.permissions.can_subscribe_group, user) ||
    includes(snapshot, channel.permissions.can_add_subscribers_group, user)
  );
}

/** Whether the person may know that the channel exists, and its settings and subscribers. */
export function hasMetadataAccess(snapshot: Snapshot, user: User, channel: Channel): boolean {
  return hasContentAccess(snapshot, user, channel) || mayAdministerChannel(snapshot, user, channel);
}

/** Organization administrators always may (specification, "Subscription", `can_administer_channel_group`). */
export function mayAdministerChannel(snapshot: Snapshot, user: User, channel: Channel): boolean {
  if (isGuest(user)) return false;
  return isAdministrator(user) || includes(snapshot, channel.permissions.can_administer_channel_group, user);
}

/** Who may read a channel is decided only by those who may administer it and can read it themselves. */
export function mayChangeContentAccess(snapshot: Snapshot, user: User, channel: Channel): boolean {
  return mayAdministerChannel(snapshot, user, channel) && hasContentAccess(snapshot, user, channel);
}

export function maySetTopicsPolicy(snapshot: Snapshot, user: User): boolean {
  return holds(snapshot, user, 'can_set_topics_policy_group');
}

/** Whether the organization lets the person say who deletes the messages of a channel. */
export function maySetDeletionPolicy(snapshot: Snapshot, user: User): boolean {
  return holds(snapshot, user, 'can_set_delete_message_policy_group');
}

/** Guests are subscribed by others, save for what the whole world may read. */
export function maySubscribe(snapshot: Snapshot, user: User, channel: Channel): boolean {
  return channel.privacy.isWebPublic || (!isGuest(user) && hasContentAccess(snapshot, user, channel));
}

/** Whether the organization lets the person subscribe others in every channel that they can read. */
export function mayAddSubscribersAnywhere(snapshot: Snapshot, user: User): boolean {
  return !isGuest(user) && (isAdministrator(user) || holds(snapshot, user, 'can_add_subscribers_group'));
}

/** Whether the person may subscribe others. */
export function mayAddSubscribers(snapshot: Snapshot, user: User, channel: Channel): boolean {
  if (isGuest(user) || !hasContentAccess(snapshot, user, channel)) return false;
  return (
    mayAddSubscribersAnywhere(snapshot, user) ||
    mayAdministerChannel(snapshot, user, channel) ||
    includes(snapshot, channel.permissions.can_add_subscribers_group, user)
  );
}

/** Whether the person may unsubscribe others; the bots that they own they always may. */
export function mayRemoveSubscribers(snapshot: Snapshot, user: User, channel: Channel): boolean {
  if (isGuest(user) || !hasMetadataAccess(snapshot, user, channel)) return false;
  return (
    mayAdministerChannel(snapshot, user, channel) ||
    includes(snapshot, channel.permissions.can_remove_subscribers_group, user)
  );
}

/** Bots post wherever their owner may, and the server's own bots everywhere. */
export function maySendTo(snapshot: Snapshot, user: User, channel: Channel): boolean {
  if (user.bot?.isSystem === true) return true;
  if (channel.isArchived) return false;
  const voices = [user, ...ownerOf(snapshot, user)];
  return (
    voices.some((voice) => includes(snapshot, channel.permissions.can_send_message_group, voice)) &&
    voices.some((voice) => seesNewMessages(snapshot, voice, channel))
  );
}

/** Where the history is protected, only subscribers see what is said: others could not even read what they say themselves. */
function seesNewMessages(snapshot: Snapshot, user: User, channel: Channel): boolean {
  if (!channel.privacy.historyPublicToSubscribers) {
    return isSubscribed(snapshot.directory.subscription(channel.id, user.id));
  }
  return hasContentAccess(snapshot, user, channel);
}

/** Whether the person may send to a topic in which nothing was said yet; the right to send is asked for apart. */
export function mayCreateTopic(snapshot: Snapshot, user: User, channel: Channel): boolean {
  if (user.bot?.isSystem === true) return true;
  const voices = [user, ...ownerOf(snapshot, user)];
  return voices.some((voice) => includes(snapshot, channel.permissions.can_create_topic_group, voice));
}

function ownerOf({ directory }: Snapshot, user: User): readonly User[] {
  const owner = user.bot?.ownerId == null ? null : directory.user(user.bot.ownerId);
  return owner === null ? [] : [owner];
}
