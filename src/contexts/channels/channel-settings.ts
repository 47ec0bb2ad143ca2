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

/** What a request asks of the channels that it creates; null where it leaves a thing to the default. */
export interface ChannelSettings {
  readonly inviteOnly: boolean;
  readonly isWebPublic: boolean;
  readonly historyPublicToSubscribers: boolean | null;
  readonly isDefault: boolean;
  /** Undefined: not said; null: the organization's; -1: for ever. */
  readonly messageRetentionDays: number | null | undefined;
  readonly topicsPolicy: TopicsPolicy | null;
  readonly folderId: number | null;
  readonly permissions: Partial<ChannelPermissions>;
}

/**
 * Who can see a channel with these settings; only a private channel can keep its past from new subscribers.
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
 * Judges whether the person may create channels with these settings, and whether the settings make sense.
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
  assertTopicsTellNothing(privacy, settings.permissions.can_create_topic_group);
  if (restrictsDeletion(differingFromDefault(settings.permissions))) {
    assertMaySetDeletionPolicy(snapshot, creator);
  }
}

/**
 * To leave the policy to the organization is everyone's who sets up the channel.
 *
 * @throws ApplicationError `insufficientPermission` unless the organization lets the person say which topics there may be
 */
export function assertMaySetTopicsPolicy(snapshot: Snapshot, user: User, policy: TopicsPolicy): void {
  if (policy !== 'inherit' && !maySetTopicsPolicy(snapshot, user)) throw failure('insufficientPermission');
}

/**
 * Where new subscribers do not see what was said before, everyone may start topics: those who may not would learn from a
 * refusal which topics there are.
 *
 * @param mayCreateTopics undefined: as in a new channel
 * @throws ApplicationError `unsupportedParameterCombination`
 */
export function assertTopicsTellNothing(
  { historyPublicToSubscribers }: ChannelPrivacy,
  mayCreateTopics: GroupSetting = systemGroupIds.everyone,
): void {
  if (historyPublicToSubscribers || isSameSetting(mayCreateTopics, systemGroupIds.everyone)) return;
  throw failure('unsupportedParameterCombination', {
    parameters: 'history_public_to_subscribers,can_create_topic_group',
  });
}

/** @throws ApplicationError when the person may not choose default channels, or new people could not see this one */
export function assertMayBeDefault(user: User, privacy: ChannelPrivacy): void {
  if (!mayChooseDefaultChannels(user)) throw failure('insufficientPermission');
  if (privacy.inviteOnly) throw failure('defaultChannelPrivate');
}

/** @throws ApplicationError unless the organization lets the person say who deletes messages */
export function assertMaySetDeletionPolicy(snapshot: Snapshot, user: User): void {
  if (!maySetDeletionPolicy(snapshot, user)) throw failure('insufficientPermission');
}

/** Whether the permissions say who deletes messages, which not everyone who sets up a channel may say. */
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

/** @throws ApplicationError `invalidChannelFolder` where there is no such folder, or an archived one */
export function assertFolder({ directory }: Snapshot, folderId: number | null): void {
  if (folderId === null) return;
  if (channelFolder(directory.channelFolders, folderId)?.isArchived !== false) {
    throw failure('invalidChannelFolder');
  }
}

const retentionWords: ReadonlyMap<unknown, number | null> = new Map([
  ['realm_default', null],
  ['unlimited', -1],
  ['forever', -1],
]);

/**
 * Days that messages are kept, from what a client sends: a positive number of days, `unlimited` or `realm_default`.
 *
 * @returns null for the organization's own, -1 for ever
 * @throws ApplicationError `invalidRetention`
 */
export function retentionDays(sent: unknown): number | null {
  const named = retentionWords.get(sent);
  if (named !== undefined) return named;
  if (!Number.isSafeInteger(sent) || Number(sent) <= 0) throw failure('invalidRetention');
  return Number(sent);
}
