import type { GroupSetting } from '../../events/values/group-setting.js';
import { systemGroupIds } from '../../events/values/organization-defaults.js';
import type { OrganizationPermissions } from '../../events/values/organization-permissions.js';

/** The values of an older policy by the system group that may do something. */
interface Policy {
  readonly values: ReadonlyMap<GroupSetting, number>;
  /** The value of the largest group, for settings without a value of their own. */
  readonly otherwise: number;
}

const { administrators, everyone, fullMembers, members, moderators, nobody, owners } = systemGroupIds;

const wildcardMention: Policy = {
  values: new Map([
    [everyone, 1],
    [members, 2],
    [fullMembers, 3],
    [administrators, 5],
    // Administrators: the smallest group with a value that includes the owners.
    [owners, 5],
    [nobody, 6],
    [moderators, 7],
  ]),
  otherwise: 1,
};

/** Of creating channels, and of subscribing others. */
const channelWork: Policy = {
  values: new Map([
    [members, 1],
    [administrators, 2],
    // Administrators are the smallest group with a value.
    [owners, 2],
    [nobody, 2],
    [fullMembers, 3],
    [moderators, 4],
  ]),
  otherwise: 1,
};

const webPublicChannels: Policy = {
  values: new Map([
    [administrators, 2],
    [moderators, 4],
    [nobody, 6],
    [owners, 7],
  ]),
  otherwise: 4,
};

const botCreation = { everybody: 1, incomingWebhooks: 2, administrators: 3 } as const;

/**
 * The older forms of permissions of the organization, which clients before groups as permissions read. A form that
 * cannot express a group names a larger one, so that no client hides what its user may do; the server checks each
 * request by the group itself. Owners and nobody are shown as administrators. For custom groups and sets of people,
 * whose members are not looked up, the form names its largest group.
 */
export function olderPolicies(permissions: OrganizationPermissions): Readonly<Record<string, number>> {
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

function valueIn({ values, otherwise }: Policy, setting: GroupSetting): number {
  return values.get(setting) ?? otherwise;
}

function botCreationPolicy({
  can_create_bots_group: anyBots,
  can_create_write_only_bots_group: incomingWebhooks,
}: OrganizationPermissions): number {
  if (!isForAdministratorsOnly(anyBots)) return botCreation.everybody;
  return isForAdministratorsOnly(incomingWebhooks)
    ? botCreation.administrators
    : botCreation.incomingWebhooks;
}

function isForAdministratorsOnly(setting: GroupSetting): boolean {
  return setting === administrators || setting === owners || setting === nobody;
}
