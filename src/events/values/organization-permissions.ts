import { z } from 'zod';
import { systemGroupIds } from './organization-defaults.js';
import { anyGroup, noGuests, oneOf, somebody, type GroupRule } from './group-rule.js';
import { groupSettingSchema, type GroupSetting } from './group-setting.js';
import type { SettingChanger } from './organization-setting-kinds.js';

/** A permission of the organization; its value is a group setting. */
interface OrganizationPermission extends GroupRule {
  readonly changedBy: SettingChanger;
  /** What it permits, in one phrase. */
  readonly permits: string;
}

const { everyone, members, moderators, administrators, owners, nobody } = systemGroupIds;

function changedByAdministrators(rule: GroupRule, permits: string): OrganizationPermission {
  return { ...rule, permits, changedBy: 'administrators' };
}

function changedByOwners(rule: GroupRule, permits: string): OrganizationPermission {
  return { ...rule, permits, changedBy: 'owners' };
}

/** Every permission of the organization, with its default. */
export const organizationPermissionTable = {
  create_multiuse_invite_group: changedByOwners(
    noGuests(administrators),
    'creating reusable invitation links',
  ),
  // Only members or everyone: people can be hidden from nobody but guests.
  can_access_all_users_group: changedByAdministrators(
    oneOf(everyone, [everyone, members]),
    'seeing all people of the organization',
  ),
  can_add_custom_emoji_group: changedByAdministrators(somebody(members), 'adding custom emoji'),
  can_add_subscribers_group: changedByAdministrators(noGuests(members), 'subscribing others to channels'),
  can_audit_group: changedByOwners(somebody(owners), 'auditing: reading the log, including all messages'),
  can_change_user_emails_group: changedByOwners(
    oneOf(owners, [owners, nobody]),
    'changing the e-mail addresses of other people',
  ),
  can_create_bots_group: changedByAdministrators(noGuests(members), 'creating bots'),
  can_create_groups: changedByOwners(somebody(members), 'creating user groups'),
  can_create_private_channel_group: changedByAdministrators(somebody(members), 'creating private channels'),
  can_create_public_channel_group: changedByAdministrators(somebody(members), 'creating public channels'),
  can_create_web_public_channel_group: changedByAdministrators(
    oneOf(owners, [moderators, administrators, owners, nobody]),
    'creating channels that the whole web may read',
  ),
  can_create_write_only_bots_group: changedByAdministrators(
    noGuests(members),
    'creating bots that can only send',
  ),
  can_delete_any_message_group: changedByAdministrators(
    somebody(administrators),
    'deleting messages of anyone',
  ),
  can_delete_own_message_group: changedByAdministrators(anyGroup(everyone), 'deleting own messages'),
  can_invite_users_group: changedByOwners(noGuests(members), 'inviting people'),
  can_manage_all_groups: changedByOwners(somebody(owners), 'managing all user groups'),
  can_manage_billing_group: changedByOwners(somebody(administrators), 'managing plans and payment'),
  can_mention_many_users_group: changedByAdministrators(
    anyGroup(administrators),
    'mentioning everyone in a large channel or topic',
  ),
  can_move_messages_between_channels_group: changedByAdministrators(
    noGuests(members),
    'moving messages to other channels',
  ),
  can_move_messages_between_topics_group: changedByAdministrators(
    anyGroup(everyone),
    'moving messages to other topics',
  ),
  can_resolve_topics_group: changedByAdministrators(anyGroup(everyone), 'resolving topics'),
  can_set_delete_message_policy_group: changedByAdministrators(
    noGuests(moderators),
    'setting who may delete the messages of a channel',
  ),
  can_set_topics_policy_group: changedByAdministrators(
    anyGroup(members),
    'setting the topics policy of a channel',
  ),
  can_summarize_topics_group: changedByAdministrators(anyGroup(everyone), 'having topics summarized'),
  direct_message_initiator_group: changedByAdministrators(
    anyGroup(everyone),
    'starting direct conversations',
  ),
  direct_message_permission_group: changedByAdministrators(
    anyGroup(everyone),
    'taking part in direct conversations',
  ),
} as const satisfies Record<string, OrganizationPermission>;

/** Names of the organization's permissions, which are also the names of the parameters. */
export type OrganizationPermissionName = keyof typeof organizationPermissionTable;

/** The values of the organization's permissions. */
export type OrganizationPermissions = Record<OrganizationPermissionName, GroupSetting>;

/** In the order of the table. */
export const organizationPermissionNames = Object.keys(
  organizationPermissionTable,
) as readonly OrganizationPermissionName[];

/** Some of the permissions, as events contain them. */
export const somePermissionsSchema = z.strictObject(
  Object.fromEntries(organizationPermissionNames.map((name) => [name, groupSettingSchema.optional()])),
) as z.ZodType<Partial<OrganizationPermissions>>;

/** The permissions of a new organization. */
export const defaultOrganizationPermissions = Object.fromEntries(
  organizationPermissionNames.map((name) => [name, organizationPermissionTable[name].initial]),
) as OrganizationPermissions;
