import { z } from 'zod';
import { groupSettingSchema } from './group-setting.js';

/** The system groups in the order of their creation, so that their ids are 1 to 8 in every organization. */
export const systemGroups = [
  { id: 1, name: 'role:internet', description: 'Everyone on the Internet', subgroup: 2 },
  {
    id: 2,
    name: 'role:everyone',
    description: 'Everyone in this organization, including guests',
    subgroup: 3,
  },
  {
    id: 3,
    name: 'role:members',
    description: 'Members of this organization, not including guests',
    subgroup: 4,
  },
  {
    id: 4,
    name: 'role:fullmembers',
    description: 'Members of this organization, not including new accounts and guests',
    subgroup: 5,
  },
  { id: 5, name: 'role:moderators', description: 'Moderators of this organization', subgroup: 6 },
  {
    id: 6,
    name: 'role:administrators',
    description: 'Administrators of this organization, including owners',
    subgroup: 7,
  },
  { id: 7, name: 'role:owners', description: 'Owners of this organization', subgroup: null },
  { id: 8, name: 'role:nobody', description: 'Nobody', subgroup: null },
] as const;

/** Ids of the system groups, by what they are called. */
export const systemGroupIds = {
  internet: 1,
  everyone: 2,
  members: 3,
  fullMembers: 4,
  moderators: 5,
  administrators: 6,
  owners: 7,
  nobody: 8,
} as const;

/** Who may do what in the organization. The permission table of the next releases hangs on these names. */
export const organizationPermissionsSchema = z.strictObject({
  create_multiuse_invite_group: groupSettingSchema,
  can_access_all_users_group: groupSettingSchema,
  can_add_custom_emoji_group: groupSettingSchema,
  can_add_subscribers_group: groupSettingSchema,
  can_create_bots_group: groupSettingSchema,
  can_create_groups: groupSettingSchema,
  can_create_private_channel_group: groupSettingSchema,
  can_create_public_channel_group: groupSettingSchema,
  can_create_web_public_channel_group: groupSettingSchema,
  can_create_write_only_bots_group: groupSettingSchema,
  can_delete_any_message_group: groupSettingSchema,
  can_delete_own_message_group: groupSettingSchema,
  can_invite_users_group: groupSettingSchema,
  can_manage_all_groups: groupSettingSchema,
  can_manage_billing_group: groupSettingSchema,
  can_mention_many_users_group: groupSettingSchema,
  can_move_messages_between_channels_group: groupSettingSchema,
  can_move_messages_between_topics_group: groupSettingSchema,
  can_resolve_topics_group: groupSettingSchema,
  can_set_delete_message_policy_group: groupSettingSchema,
  can_set_topics_policy_group: groupSettingSchema,
  can_summarize_topics_group: groupSettingSchema,
  direct_message_initiator_group: groupSettingSchema,
  direct_message_permission_group: groupSettingSchema,
});

export type OrganizationPermissions = z.infer<typeof organizationPermissionsSchema>;

/** Defaults of `facts` section 4 of the API: who may do what in a new organization. */
export const defaultOrganizationPermissions: OrganizationPermissions = {
  create_multiuse_invite_group: systemGroupIds.administrators,
  can_access_all_users_group: systemGroupIds.everyone,
  can_add_custom_emoji_group: systemGroupIds.members,
  can_add_subscribers_group: systemGroupIds.members,
  can_create_bots_group: systemGroupIds.members,
  can_create_groups: systemGroupIds.members,
  can_create_private_channel_group: systemGroupIds.members,
  can_create_public_channel_group: systemGroupIds.members,
  can_create_web_public_channel_group: systemGroupIds.owners,
  can_create_write_only_bots_group: systemGroupIds.members,
  can_delete_any_message_group: systemGroupIds.administrators,
  can_delete_own_message_group: systemGroupIds.everyone,
  can_invite_users_group: systemGroupIds.members,
  can_manage_all_groups: systemGroupIds.owners,
  can_manage_billing_group: systemGroupIds.administrators,
  can_mention_many_users_group: systemGroupIds.administrators,
  can_move_messages_between_channels_group: systemGroupIds.members,
  can_move_messages_between_topics_group: systemGroupIds.everyone,
  can_resolve_topics_group: systemGroupIds.everyone,
  can_set_delete_message_policy_group: systemGroupIds.moderators,
  can_set_topics_policy_group: systemGroupIds.members,
  can_summarize_topics_group: systemGroupIds.everyone,
  direct_message_initiator_group: systemGroupIds.everyone,
  direct_message_permission_group: systemGroupIds.everyone,
};

/** What else is set for the organization as a whole. Durations are in seconds; null means without limit. */
export const organizationSettingsSchema = z.strictObject({
  allow_message_editing: z.boolean(),
  enable_read_receipts: z.boolean(),
  message_content_edit_limit_seconds: z.number().int().positive().nullable(),
  message_content_delete_limit_seconds: z.number().int().positive().nullable(),
  message_edit_history_visibility_policy: z.enum(['all', 'moves', 'none']),
  message_retention_days: z.number().int(),
  move_messages_between_streams_limit_seconds: z.number().int().positive().nullable(),
  move_messages_within_stream_limit_seconds: z.number().int().positive().nullable(),
  topics_policy: z.enum(['allow_empty_topic', 'disable_empty_topic']),
  waiting_period_threshold: z.number().int().nonnegative(),
});

export type OrganizationSettings = z.infer<typeof organizationSettingsSchema>;

export const defaultOrganizationSettings: OrganizationSettings = {
  allow_message_editing: true,
  enable_read_receipts: false,
  message_content_edit_limit_seconds: 600,
  message_content_delete_limit_seconds: 600,
  message_edit_history_visibility_policy: 'all',
  message_retention_days: -1,
  move_messages_between_streams_limit_seconds: 604_800,
  move_messages_within_stream_limit_seconds: 604_800,
  topics_policy: 'allow_empty_topic',
  waiting_period_threshold: 0,
};

/** Lengths are in Unicode code points. */
export const limits = {
  topic: 60,
  message: 10_000,
  channelName: 60,
  channelDescription: 1024,
  fullNameMinimum: 2,
  fullName: 100,
  groupName: 100,
  passwordMinimum: 6,
  passwordMaximum: 100,
} as const;
