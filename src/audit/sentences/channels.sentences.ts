import type { AttentionEvent } from '../../events/attention.js';
import type { ChannelDirectoryEvent, SubscriptionEvent } from '../../events/channels.js';
import type { ChannelFolderEvent } from '../../events/channel-folders.js';
import { visibilityPolicies, type VisibilityPolicy } from '../../events/attention.js';
import type { Sentences } from './teller.js';
import { counted, listed, quoted, settingName } from './wording.js';

type Privacy = Extract<ChannelDirectoryEvent, { type: 'ChannelPrivacyChanged' }>['data']['privacy'];

function privacyOf({ inviteOnly, historyPublicToSubscribers, isWebPublic }: Privacy): string {
  if (isWebPublic) return 'public on the web';
  if (!inviteOnly) return 'public';
  return historyPublicToSubscribers ? 'private with shared history' : 'private with protected history';
}

/** Channels. */
export const channelSentences: Sentences<ChannelDirectoryEvent> = {
  ChannelCreated: ({ channelId, privacy, subscriberIds }, told) =>
    `${told.actor} created the channel ${told.channel(channelId)}, ${privacyOf(privacy)}, with ${counted(subscriberIds.length, 'subscriber')}.`,
  ChannelRenamed: ({ channelId, name }, told) =>
    `${told.actor} gave the channel ${told.channel(channelId)} the name ${quoted(name)}.`,
  ChannelDescriptionChanged: ({ channelId, description }, told) =>
    `${told.actor} described the channel ${told.channel(channelId)} as ${quoted(description)}.`,
  ChannelPrivacyChanged: ({ channelId, privacy, previousPrivacy }, told) =>
    `${told.actor} made the channel ${told.channel(channelId)} ${privacyOf(privacy)}; it was ${privacyOf(previousPrivacy)}.`,
  ChannelPermissionsChanged: ({ channelId, permissions, previousPermissions }, told) =>
    `${told.actor} changed who may do what in the channel ${told.channel(channelId)}: ${told.grants(permissions, previousPermissions)}.`,
  ChannelPropertiesChanged: ({ channelId, properties, previousProperties }, told) =>
    `${told.actor} changed the channel ${told.channel(channelId)}: ${told.changes(inWords(properties), inWords(previousProperties))}.`,
  ChannelArchived: ({ channelId }, told) => `${told.actor} archived the channel ${told.channel(channelId)}.`,
  ChannelUnarchived: ({ channelId }, told) =>
    `${told.actor} opened the archived channel ${told.channel(channelId)} again.`,
};

const propertyNames: Readonly<Record<string, string>> = {
  messageRetentionDays: 'days that messages are kept',
  topicsPolicy: 'topics policy',
  folderId: 'folder',
  isDefault: 'joined by new people',
};

function inWords(properties: object): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(properties).map(([name, value]: [string, unknown]) => [
      propertyNames[name] ?? name,
      value,
    ]),
  );
}

function further(continuation: readonly { readonly channelId: number }[]): readonly number[] {
  return continuation.map(({ channelId }) => channelId);
}

/** Who is in which channel, and how. */
export const subscriptionSentences: Sentences<SubscriptionEvent> = {
  UsersSubscribed: ({ channelId, userIds, continuation }, told) =>
    `${told.actor} subscribed ${told.people(userIds)} to ${told.channels([channelId, ...further(continuation)])}.`,
  UsersUnsubscribed: ({ channelId, userIds, continuation }, told) =>
    `${told.actor} unsubscribed ${told.people(userIds)} from ${told.channels([channelId, ...further(continuation)])}.`,
  SubscriptionPropertyChanged: ({ channelId, userId, property, value }, told) =>
    `${told.person(userId)} set ${settingName(property)} of the channel ${told.channel(channelId)} to ${told.value(value)} for themselves.`,
};

/** Folders that channels are shown in. */
export const channelFolderSentences: Sentences<ChannelFolderEvent> = {
  ChannelFolderCreated: ({ folderId }, told) =>
    `${told.actor} made the channel folder ${told.folder(folderId)}.`,
  ChannelFolderRenamed: ({ folderId, name }, told) =>
    `${told.actor} gave the channel folder ${told.folder(folderId)} the name ${quoted(name)}.`,
  ChannelFolderDescriptionChanged: ({ folderId, description }, told) =>
    `${told.actor} described the channel folder ${told.folder(folderId)} as ${quoted(description)}.`,
  ChannelFolderArchived: ({ folderId }, told) =>
    `${told.actor} archived the channel folder ${told.folder(folderId)}.`,
  ChannelFolderUnarchived: ({ folderId }, told) =>
    `${told.actor} opened the archived channel folder ${told.folder(folderId)} again.`,
  ChannelFoldersReordered: ({ folderIds }, told) =>
    `${told.actor} put the channel folders into the order ${listed(folderIds.map((id) => told.folder(id)))}.`,
};

const policyWords: Readonly<Record<VisibilityPolicy, string>> = {
  [visibilityPolicies.none]: 'left to the setting of its channel',
  [visibilityPolicies.muted]: 'muted',
  [visibilityPolicies.unmuted]: 'unmuted',
  [visibilityPolicies.followed]: 'followed',
};

/** What people want to see, and what not. */
export const attentionSentences: Sentences<AttentionEvent> = {
  TopicVisibilityChanged: ({ userId, channelId, topic, policy }, told) =>
    `${told.person(userId)} ${policyWords[policy]} the topic ${told.topic(topic)} of ${told.channel(channelId)}.`,
  PersonMuted: ({ userId, mutedUserId }, told) => `${told.person(userId)} muted ${told.person(mutedUserId)}.`,
  PersonUnmuted: ({ userId, mutedUserId }, told) =>
    `${told.person(userId)} no longer mutes ${told.person(mutedUserId)}.`,
  AlertWordsAdded: ({ userId, words }, told) =>
    `${told.person(userId)} wants to be alerted to ${listed(words.map(quoted), 'no words')}.`,
  AlertWordsRemoved: ({ userId, words }, told) =>
    `${told.person(userId)} no longer wants to be alerted to ${listed(words.map(quoted), 'some words')}.`,
};
