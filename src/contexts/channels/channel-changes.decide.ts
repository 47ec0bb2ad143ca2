import type { Snapshot } from '../../access/snapshot.js';
import type { PermissionChange } from '../../events/values/group-setting.js';
import type { User } from '../../access/records/user.js';
import type { Channel } from '../../access/records/channel.js';
import type {
  ChannelDirectoryEvent,
  ChannelPermissions,
  TopicsPolicy,
  ChannelPrivacy,
  ChannelProperties,
} from '../../events/channels.js';
import { hasContentAccess, mayCreateChannel } from '../../access/permissions.js';
import { failure } from '../../kernel/errors.js';
import {
  assertTopicsRevealNothing,
  privacyOf,
  assertFolder,
  assertMayBeDefault,
  assertMaySetTopicsPolicy,
  assertMaySetDeletionPolicy,
  restrictsDeletion,
} from './channel-settings.js';
import { isOwner } from '../../access/records/roles.js';
import { changedPermissions } from '../../access/permission-value.js';
import { channelPermissionTable } from '../../access/channel-permission-values.js';

/** The changes that a request makes; undefined: no change. */
export interface ChannelChanges {
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly isPrivate?: boolean | undefined;
  readonly isWebPublic?: boolean | undefined;
  readonly historyPublicToSubscribers?: boolean | undefined;
  readonly isDefault?: boolean | undefined;
  readonly isArchived?: boolean | undefined;
  /** Null: the organization's setting applies; -1: for ever. */
  readonly messageRetentionDays?: number | null | undefined;
  readonly topicsPolicy?: TopicsPolicy | undefined;
  readonly folderId?: number | null | undefined;
  readonly permissions: Partial<Record<keyof ChannelPermissions, PermissionChange>>;
}

/** What the decision depends on beside the channel. */
export interface ChannelUpdateContext {
  readonly snapshot: Snapshot;
  readonly user: User;
  /** Whether all messages of the channel are in its empty topic; looked up only where it matters. */
  readonly hasOnlyEmptyTopic: boolean;
}

/** Decides about one part of the changes, and ignores the others. */
export type DecideChange = (
  channel: Channel,
  changes: ChannelChanges,
  context: ChannelUpdateContext,
) => readonly ChannelDirectoryEvent[];

/**
 * Changing who can see a channel needs the permission to create such a channel, and read access to this one.
 */
export const changePrivacy: DecideChange = (channel, changes, { snapshot, user: caller }) => {
  const privacy = privacyAfter(channel, changes);
  const { privacy: previousPrivacy } = channel;
  if (samePrivacy(privacy, previousPrivacy)) return [];
  if (!hasContentAccess(snapshot, caller, channel)) throw failure('channelContentAccessRequired');
  if (!mayCreateChannel(snapshot, caller, privacy)) throw failure('insufficientPermission');
  if (privacy.inviteOnly && (changes.isDefault ?? channel.isDefault)) throw failure('defaultChannelPrivate');
  const moderationChannelId = snapshot.directory.organization?.settings.moderation_request_channel_id;
  if (!privacy.inviteOnly && channel.id === moderationChannelId) throw failure('moderationChannelPublic');
  const { can_create_topic_group: mayCreateTopics } = channel.permissions;
  assertTopicsRevealNothing(privacy, changes.permissions.can_create_topic_group?.new ?? mayCreateTopics);
  return [{ type: 'ChannelPrivacyChanged', data: { channelId: channel.id, privacy, previousPrivacy } }];
};

/**
 * The privacy of the channel after the changes. A private channel is never web-public: parameters that were
 * not sent follow from those that were.
 *
 * @throws ApplicationError for contradictions
 */
function privacyAfter({ privacy: before }: Channel, changes: ChannelChanges): ChannelPrivacy {
  const { isPrivate, isWebPublic, historyPublicToSubscribers } = changes;
  const inviteOnly = isPrivate ?? (isWebPublic === true ? false : before.inviteOnly);
  const after = privacyOf({
    inviteOnly,
    isWebPublic: isWebPublic ?? (isPrivate === undefined ? before.isWebPublic : false),
    historyPublicToSubscribers:
      historyPublicToSubscribers ?? (before.inviteOnly ? before.historyPublicToSubscribers : null),
  });
  if (!inviteOnly && historyPublicToSubscribers === false) throw failure('publicChannelHistoryProtected');
  return after;
}

function samePrivacy(a: ChannelPrivacy, b: ChannelPrivacy): boolean {
  return (
    a.inviteOnly === b.inviteOnly &&
    a.isWebPublic === b.isWebPublic &&
    a.historyPublicToSubscribers === b.historyPublicToSubscribers
  );
}

/** Changes retention (owners only), topics policy, folder, and whether new people are subscribed. */
export const changeProperties: DecideChange = (channel, changes, context) => {
  const { user: caller, snapshot } = context;
  const { messageRetentionDays, topicsPolicy, isDefault, folderId } = changes;
  if (messageRetentionDays !== undefined && !isOwner(caller)) throw failure('ownerRequired');
  if (folderId !== undefined) assertFolder(snapshot, folderId);
  if (isDefault === true && (changes.isArchived ?? channel.isArchived)) throw failure('invalidChannel');
  if (isDefault !== undefined && isDefault !== channel.isDefault) {
    assertMayBeDefault(
      caller,
      isDefault ? privacyAfter(channel, changes) : { ...channel.privacy, inviteOnly: false },
    );
  }
  if (topicsPolicy !== undefined) assertTopicsPolicy(topicsPolicy, context);
  return propertiesChanged(channel, { messageRetentionDays, topicsPolicy, isDefault, folderId });
};

function assertTopicsPolicy(policy: TopicsPolicy, context: ChannelUpdateContext): void {
  const { snapshot, user: caller, hasOnlyEmptyTopic } = context;
  assertMaySetTopicsPolicy(snapshot, caller, policy);
  if (policy === 'empty_topic_only' && !hasOnlyEmptyTopic) throw failure('channelHoldsTopics');
}

type RequestedProperties = {
  readonly [Name in keyof ChannelProperties]: ChannelProperties[Name] | undefined;
};

function propertiesChanged(channel: Channel, requested: RequestedProperties): ChannelDirectoryEvent[] {
  const names = (Object.keys(requested) as (keyof ChannelProperties)[]).filter(
    (name) => requested[name] !== undefined && requested[name] !== channel[name],
  );
  if (names.length === 0) return [];
  const properties = Object.fromEntries(names.map((name) => [name, requested[name]]));
  const previousProperties = Object.fromEntries(names.map((name) => [name, channel[name]]));
  return [
    { type: 'ChannelPropertiesChanged', data: { channelId: channel.id, properties, previousProperties } },
  ];
}

/**
 * People who get one of these permissions can read a private channel, so only people who can read it may give
 * them.
 */
const grantingContent: readonly (keyof ChannelPermissions)[] = [
  'can_add_subscribers_group',
  'can_subscribe_group',
];

/** Changes permissions of a channel; refused when the `old` value that the client sent is outdated. */
export const changePermissions: DecideChange = (channel, changes, { snapshot, user: caller }) => {
  const changed = changedPermissions(snapshot, {
    present: channel.permissions,
    rules: channelPermissionTable,
    changes: changes.permissions,
  });
  if (changed === null) return [];
  if (restrictsDeletion(changed.permissions)) assertMaySetDeletionPolicy(snapshot, caller);
  const { can_create_topic_group: mayCreateTopics } = changed.permissions;
  if (mayCreateTopics !== undefined)
    assertTopicsRevealNothing(privacyAfter(channel, changes), mayCreateTopics);
  const opens = grantingContent.some((name) => name in changed.permissions);
  if (opens && !hasContentAccess(snapshot, caller, channel)) throw failure('channelContentAccessRequired');
  return [{ type: 'ChannelPermissionsChanged', data: { channelId: channel.id, ...changed } }];
};
