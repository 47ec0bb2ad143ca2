import type { GroupSetting } from '../../events/values/group-setting.js';
import { systemGroupIds } from '../../events/values/organization-defaults.js';
import type { OrganizationPermissions } from '../../events/values/organization-permissions.js';

/** The values of an older policy by the system group that may do something. */
type Policies = ReadonlyMap<GroupSetting, number>;

const { administrators, everyone, fullMembers, members, moderators, nobody, owners } = systemGroupIds;

const wildcardMention: Policies = new Map([
  [everyone, 1],
  [members, 2],
  [fullMembers, 3],
  [administrators, 5],
  [nobody, 6],
  [moderators, 7],
]);

/** Of creating channels, and of subscribing others. */
const channelWork: Policies = new Map([
  [members, 1],
  [administrators, 2],
  [fullMembers, 3],
  [moderators, 4],
]);

const webPublicChannels: Policies = new Map([
  [administrators, 2],
  [moderators, 4],
  [nobody, 6],
  [owners, 7],
]);

const botCreation = { everybody: 1, incomingWebhooks: 2, administrators: 3 } as const;

/**
 * The older forms of permissions of the organization, which clients before groups as permissions read. Groups that
 * a form cannot express are shown as administrators.
 */
export function olderPolicies(permissions: OrganizationPermissions): Readonly<Record<string, number>> {
  const valueIn = (policies: Policies, setting: GroupSetting): number =>
    policies.get(setting) ?? policies.get(administrators)!;
  return {
    realm_wildcard_mention_policy: valueIn(wildcardMention, permissions.can_mention_many_users_group),
    realm_create_public_stream_policy: valueIn(channelWork, permissions.can_create_public_channel_group),
    realm_create_private_stream_policy: valueIn(channelWork, permissions.can_create_private_channel_group),
    realm_create_web_public_stream_policy: valueIn(
      webPublicChannels,
      permissions.can_create_web_public_channel_group,
    ),
    realm_invite_to_stream_policy: valueIn(channelWork, permissions.can_add_subscribers_group),
    realm_bot_creation_policy: botCreationPolicy(permissions),
  };
}

function botCreationPolicy({
  can_create_bots_group: anyBots,
  can_create_write_only_bots_group: incomingWebhooks,
}: OrganizationPermissions): number {
  const isForAll = (setting: GroupSetting): boolean => setting === members || setting === everyone;
  if (isForAll(anyBots)) return botCreation.everybody;
  return isForAll(incomingWebhooks) ? botCreation.incomingWebhooks : botCreation.administrators;
}
