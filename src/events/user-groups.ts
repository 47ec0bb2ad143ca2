import { z } from 'zod';
import { defineEvent, type EventOf } from '../kernel/event.js';
import { groupSettingSchema } from './values/group-setting.js';

const userId = z.number().int().positive();
const groupId = z.number().int().positive();

/** The permissions of a user group. */
export const userGroupPermissionsSchema = z.strictObject({
  can_add_members_group: groupSettingSchema,
  can_join_group: groupSettingSchema,
  can_leave_group: groupSettingSchema,
  can_manage_group: groupSettingSchema,
  can_mention_group: groupSettingSchema,
  can_remove_members_group: groupSettingSchema,
});

/** Stream `groups`. The id is the revision of this event plus one. */
export const UserGroupCreated = defineEvent({
  type: 'UserGroupCreated',
  description:
    'A user group was created. The members of a system group follow from their roles and are not listed.',
  schema: z.strictObject({
    groupId,
    name: z.string(),
    description: z.string(),
    isSystem: z.boolean(),
    memberIds: z.array(userId),
    subgroupIds: z.array(groupId),
    permissions: userGroupPermissionsSchema,
  }),
  example: {
    groupId: 9,
    name: 'support',
    description: 'Helpers',
    isSystem: false,
    memberIds: [3, 4],
    subgroupIds: [],
    permissions: {
      can_add_members_group: { direct_members: [3], direct_subgroups: [] },
      can_join_group: 8,
      can_leave_group: 2,
      can_manage_group: { direct_members: [3], direct_subgroups: [] },
      can_mention_group: 2,
      can_remove_members_group: 8,
    },
  },
});

/** Stream `groups`. */
export const UserGroupMembersChanged = defineEvent({
  type: 'UserGroupMembersChanged',
  description: 'People were added to or removed from a user group.',
  schema: z.strictObject({ groupId, added: z.array(userId), removed: z.array(userId) }),
  example: { groupId: 9, added: [5], removed: [4] },
});

/** Stream `groups`. */
export const UserGroupSubgroupsChanged = defineEvent({
  type: 'UserGroupSubgroupsChanged',
  description:
    'Subgroups were added to or removed from a user group. The members of a subgroup belong to the group too.',
  schema: z.strictObject({ groupId, added: z.array(groupId), removed: z.array(groupId) }),
  example: { groupId: 9, added: [10], removed: [6] },
});

/** Stream `groups`. */
export const UserGroupRenamed = defineEvent({
  type: 'UserGroupRenamed',
  description: 'A user group was renamed.',
  schema: z.strictObject({ groupId, name: z.string(), previousName: z.string() }),
  example: { groupId: 9, name: 'help desk', previousName: 'support' },
});

/** Stream `groups`. */
export const UserGroupDescriptionChanged = defineEvent({
  type: 'UserGroupDescriptionChanged',
  description: 'The description of a user group was changed.',
  schema: z.strictObject({ groupId, description: z.string(), previousDescription: z.string() }),
  example: { groupId: 9, description: 'Who answers questions', previousDescription: 'Helpers' },
});

/** Stream `groups`. */
export const UserGroupPermissionsChanged = defineEvent({
  type: 'UserGroupPermissionsChanged',
  description: 'The holders of some permissions of a user group were changed.',
  schema: z.strictObject({
    groupId,
    permissions: userGroupPermissionsSchema.partial(),
    /** The previous values of the same permissions. */
    previousPermissions: userGroupPermissionsSchema.partial(),
  }),
  example: {
    groupId: 9,
    permissions: { can_join_group: 3 },
    previousPermissions: { can_join_group: 8 },
  },
});

/** Stream `groups`. */
export const UserGroupDeactivated = defineEvent({
  type: 'UserGroupDeactivated',
  description: 'A user group was deactivated: it counts as a group without members and cannot be mentioned.',
  schema: z.strictObject({ groupId }),
  example: { groupId: 9 },
});

/** Stream `groups`. */
export const UserGroupReactivated = defineEvent({
  type: 'UserGroupReactivated',
  description: 'A deactivated user group was made active again.',
  schema: z.strictObject({ groupId }),
  example: { groupId: 9 },
});

export type UserGroupPermissions = z.infer<typeof userGroupPermissionsSchema>;

export const userGroupEvents = [
  UserGroupCreated,
  UserGroupMembersChanged,
  UserGroupSubgroupsChanged,
  UserGroupRenamed,
  UserGroupDescriptionChanged,
  UserGroupPermissionsChanged,
  UserGroupDeactivated,
  UserGroupReactivated,
] as const;

export type UserGroupEvent = EventOf<(typeof userGroupEvents)[number]>;
