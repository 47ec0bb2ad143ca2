import { visibilityPolicies, type VisibilityPolicy, type AttentionEvent } from '../../events/attention.js';
import type { ChannelDirectoryEvent } from '../../events/channels.js';
import type { SubscriptionEvent } from '../../events/subscriptions.js';
import type { ChannelFolderEvent } from '../../events/channel-folders.js';
import type { Sentences, SentenceTable } from './event-formatter.js';
import { counted, listed, quoted, settingName } from './wording.js';

type Privacy = Extract<ChannelDirectoryEvent, { type: 'ChannelPrivacyChanged' }>['data']['privacy'];

function privacyOf({ inviteOnly, historyPublicToSubscribers, isWebPublic }: Privacy): string {
  if (isWebPublic) return 'public on the web';
  if (!inviteOnly) return 'public';
  return historyPublicToSubscribers ? 'private with shared history' : 'private with protected history';
}

const channelSentences: Sentences<ChannelDirectoryEvent> = {
  ChannelCreated: ({ channelId, privacy, subscriberIds }, format) =>
    `${format.actor} created the channel ${format.channel(channelId)}, ${privacyOf(privacy)}, with ${counted(subscriberIds.length, 'subscriber')}.`,
  ChannelRenamed: ({ channelId, name }, format) =>
    `${format.actor} gave the channel ${format.channel(channelId)} the name ${quoted(name)}.`,
  ChannelDescriptionChanged: ({ channelId, description }, format) =>
    `${format.actor} described the channel ${format.channel(channelId)} as ${quoted(description)}.`,
  ChannelPrivacyChanged: ({ channelId, privacy, previousPrivacy }, format) =>
    `${format.actor} made the channel ${format.channel(channelId)} ${privacyOf(privacy)}; it was ${privacyOf(previousPrivacy)}.`,
  ChannelPermissionsChanged: ({ channelId, permissions, previousPermissions }, format) =>
    `${format.actor} changed who may do what in the channel ${format.channel(channelId)}: ${format.grants(permissions, previousPermissions)}.`,
  ChannelPropertiesChanged: ({ channelId, properties, previousProperties }, format) =>
    `${format.actor} changed the channel ${format.channel(channelId)}: ${format.changes(inWords(properties), inWords(previousProperties))}.`,
  ChannelArchived: ({ channelId }, format) =>
    `${format.actor} archived the channel ${format.channel(channelId)}.`,
  ChannelUnarchived: ({ channelId }, format) =>
    `${format.actor} opened the archived channel ${format.channel(channelId)} again.`,
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

const subscriptionSentences: Sentences<SubscriptionEvent> = {
  UsersSubscribed: ({ channelId, userIds, continuation }, format) =>
    `${format.actor} subscribed ${format.people(userIds)} to ${format.channels([channelId, ...further(continuation)])}.`,
  UsersUnsubscribed: ({ channelId, userIds, continuation }, format) =>
    `${format.actor} unsubscribed ${format.people(userIds)} from ${format.channels([channelId, ...further(continuation)])}.`,
  SubscriptionPropertyChanged: ({ channelId, userId, property, value }, format) =>
    `${format.actor} set ${settingName(property)} of the channel ${format.channel(channelId)} to ${format.value(value)} ${format.forWhom(userId)}.`,
};

const channelFolderSentences: Sentences<ChannelFolderEvent> = {
  ChannelFolderCreated: ({ folderId }, format) =>
    `${format.actor} made the channel folder ${format.folder(folderId)}.`,
  ChannelFolderRenamed: ({ folderId, name }, format) =>
    `${format.actor} gave the channel folder ${format.folder(folderId)} the name ${quoted(name)}.`,
  ChannelFolderDescriptionChanged: ({ folderId, description }, format) =>
    `${format.actor} described the channel folder ${format.folder(folderId)} as ${quoted(description)}.`,
  ChannelFolderArchived: ({ folderId }, format) =>
    `${format.actor} archived the channel folder ${format.folder(folderId)}.`,
  ChannelFolderUnarchived: ({ folderId }, format) =>
    `${format.actor} opened the archived channel folder ${format.folder(folderId)} again.`,
  ChannelFoldersReordered: ({ folderIds }, format) =>
    `${format.actor} put the channel folders into the order ${listed(folderIds.map((id) => format.folder(id)))}.`,
};

const policyWords: Readonly<Record<VisibilityPolicy, string>> = {
  [visibilityPolicies.none]: 'removed their visibility policy for',
  [visibilityPolicies.muted]: 'muted',
  [visibilityPolicies.unmuted]: 'unmuted',
  [visibilityPolicies.followed]: 'followed',
};

/** For a policy that changed because of the action of somebody else, such as a move or a mention. */
const followingPolicyWords: Readonly<Record<VisibilityPolicy, string>> = {
  [visibilityPolicies.none]: 'no longer has a visibility policy for',
  [visibilityPolicies.muted]: 'now mutes',
  [visibilityPolicies.unmuted]: 'now unmutes',
  [visibilityPolicies.followed]: 'now follows',
};

/** Visibility policies and muted people. */
const attentionSentences: Sentences<AttentionEvent> = {
  TopicVisibilityChanged: ({ userId, channelId, topic, policy }, format) => {
    const words = (format.isActor(userId) ? policyWords : followingPolicyWords)[policy];
    return `${format.person(userId)} ${words} the topic ${format.topic(topic)} of ${format.channel(channelId)}.`;
  },
  PersonMuted: ({ userId, mutedUserId }, format) =>
    `${format.person(userId)} muted ${format.person(mutedUserId)}.`,
  PersonUnmuted: ({ userId, mutedUserId }, format) =>
    `${format.person(userId)} no longer mutes ${format.person(mutedUserId)}.`,
  AlertWordsAdded: ({ userId, words }, format) =>
    `${format.person(userId)} wants to be alerted to ${listed(words.map(quoted), 'no words')}.`,
  AlertWordsRemoved: ({ userId, words }, format) =>
    `${format.person(userId)} no longer wants to be alerted to ${listed(words.map(quoted), 'some words')}.`,
};

/** The tables of this file. */
export const channelTables: readonly SentenceTable[] = [
  channelSentences,
  subscriptionSentences,
  channelFolderSentences,
  attentionSentences,
];
