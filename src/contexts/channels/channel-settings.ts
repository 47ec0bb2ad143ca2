import type { Snapshot } from '../../access/snapshot.js';
import {
  mayChooseDefaultChannels,
  mayCreateChannel,
  maySetDeletionPolicy,
  maySetTopicsPolicy,
} from '../../access/permissions.js';
import { failure } from '../../kernel/errors.js';
import { systemGroupIds } from '../../events/values/organization-defaults.js';
import { isSameSetting, type GroupSetting } from '../../events/values/group-setting.js';
import { isOwner } from '../../access/records/roles.js';
import type { User } from '../../access/records/user.js';
import { channelFolder } from '../../access/records/channel-folders.js';
import type { ChannelPermissions, ChannelPrivacy, TopicsPolicy } from '../../events/channels.js';
import { channelPermissionTable } from '../../access/channel-permission-values.js';

/** The settings of the channels that a request creates; null: the default applies. */
export interface ChannelSettings {
  readonly inviteOnly: boolean;
  readonly isWebPublic: boolean;
  readonly historyPublicToSubscribers: boolean | null;
  readonly isDefault: boolean;
  /** Undefined: not sent; null: the organization's setting applies; -1: for ever. */
  readonly messageRetentionDays: number | null | undefined;
  readonly topicsPolicy: TopicsPolicy | null;
  readonly folderId: number | null;
  readonly permissions: Partial<ChannelPermissions>;
}

/**
 * The privacy that follows from these settings; only a private channel can hide its history from new
 * subscribers.
 *
 * @throws ApplicationError for contradictions
 */
export function privacyOf(
  settings: Pick<ChannelSettings, 'inviteOnly' | 'isWebPublic' | 'historyPublicToSubscribers'>,
): ChannelPrivacy {
  const { inviteOnly, isWebPublic, historyPublicToSubscribers } = settings;
  if (inviteOnly && isWebPublic) throw failure('channelPrivacyInconsistent');
  return {
    inviteOnly,
    isWebPublic,
    historyPublicToSubscribers: inviteOnly ? (historyPublicToSubscribers ?? false) : true,
  };
}

/**
 * Checks that the person may create channels with these settings, and that the settings are consistent.
 *
 * @throws ApplicationError
 */
export function assertMayCreate(snapshot: Snapshot, creator: User, settings: ChannelSettings): void {
  const privacy = privacyOf(settings);
  if (!mayCreateChannel(snapshot, creator, privacy)) throw failure('insufficientPermission');
  if (settings.isDefault) assertMayBeDefault(creator, privacy);
  if (settings.messageRetentionDays != null && !isOwner(creator)) throw failure('ownerRequired');
  assertMaySetTopicsPolicy(snapshot, creator, settings.topicsPolicy ?? 'inherit');
  assertFolder(snapshot, settings.folderId);
  assertTopicsRevealNothing(privacy, settings.permissions.can_create_topic_group);
  if (restrictsDeletion(differingFromDefault(settings.permissions))) {
    assertMaySetDeletionPolicy(snapshot, creator);
  }
}

/**
 * Leaving the policy to the organization needs no permission.
 *
 * @throws ApplicationError `insufficientPermission` unless the organization lets the person choose a topics
 * policy
 */
export function assertMaySetTopicsPolicy(snapshot: Snapshot, user: User, policy: TopicsPolicy): void {
  if (policy !== 'inherit' && !maySetTopicsPolicy(snapshot, user)) throw failure('insufficientPermission');
}

/**
 * If new subscribers do not see the history, everyone must be allowed to start topics: a refusal would reveal
 * which topics exist.
 *
 * @param mayCreateTopics undefined: as in a new channel
 * @throws ApplicationError `unsupportedParameterCombination`
 */
export function assertTopicsRevealNothing(
  { historyPublicToSubscribers }: ChannelPrivacy,
  mayCreateTopics: GroupSetting = systemGroupIds.everyone,
): void {
  if (historyPublicToSubscribers || isSameSetting(mayCreateTopics, systemGroupIds.everyone)) return;
  throw failure('unsupportedParameterCombination', {
    parameters: 'history_public_to_subscribers,can_create_topic_group',
  });
}

/**
 * @throws ApplicationError when the person may not choose default channels, or new people could not see this
 * one
 */
export function assertMayBeDefault(user: User, privacy: ChannelPrivacy): void {
  if (!mayChooseDefaultChannels(user)) throw failure('insufficientPermission');
  if (privacy.inviteOnly) throw failure('defaultChannelPrivate');
}

/** @throws ApplicationError unless the organization lets the person choose who may delete messages */
export function assertMaySetDeletionPolicy(snapshot: Snapshot, user: User): void {
  if (!maySetDeletionPolicy(snapshot, user)) throw failure('insufficientPermission');
}

/** Whether the permissions say who may delete messages, which needs a permission of its own. */
export function restrictsDeletion(permissions: Partial<Record<keyof ChannelPermissions, unknown>>): boolean {
  return 'can_delete_any_message_group' in permissions || 'can_delete_own_message_group' in permissions;
}

function differingFromDefault(permissions: Partial<ChannelPermissions>): Partial<ChannelPermissions> {
  const entries = Object.entries(permissions) as [keyof ChannelPermissions, GroupSetting][];
  return Object.fromEntries(
    entries.filter(([name, value]) => {
      const { initial } = channelPermissionTable[name];
      return initial === 'creator' || !isSameSetting(value, initial);
    }),
  );
}

/** @throws ApplicationError `invalidChannelFolder` when the folder does not exist or is archived */
export function assertFolder({ directory }: Snapshot, folderId: number | null): void {
  if (folderId === null) return;
  if (channelFolder(directory.channelFolders, folderId)?.isArchived !== false) {
    throw failure('invalidChannelFolder');
  }
}

const retentionNames: ReadonlyMap<unknown, number | null> = new Map([
  ['realm_default', null],
  ['unlimited', -1],
  ['forever', -1],
]);

/**
 * How many days messages are kept, from a client's value: a positive number of days, `unlimited` or
 * `realm_default`.
 *
 * @returns null for the organization's setting, -1 for ever
 * @throws ApplicationError `invalidRetention`
 */
export function retentionDays(sent: unknown): number | null {
  const named = retentionNames.get(sent);
  if (named !== undefined) return named;
  if (!Number.isSafeInteger(sent) || Number(sent) <= 0) throw failure('invalidRetention');
  return Number(sent);
}
