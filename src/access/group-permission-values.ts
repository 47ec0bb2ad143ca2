import type { Snapshot } from './snapshot.js';
import type { Permission } from './membership.js';
import { permissionValue } from './permission-value.js';
import { systemGroupIds } from '../events/values/organization-defaults.js';
import { anyGroup, noGuests, type GroupRule } from '../events/values/group-rule.js';
import type { GroupSetting } from '../events/values/group-setting.js';
import type { UserGroupPermissions } from '../events/user-groups.js';

const { everyone, nobody } = systemGroupIds;

/** Permissions of system groups: their members follow from roles, and nobody may mention them. */
export const systemGroupPermissions: UserGroupPermissions = {
  can_add_members_group: nobody,
  can_join_group: nobody,
  can_leave_group: nobody,
  can_manage_group: nobody,
  can_mention_group: nobody,
  can_remove_members_group: nobody,
};

/**
 * Every permission of a user group, with its default in a new one: its creator manages it, and everyone may
 * mention and leave it.
 */
export const groupPermissionTable = {
  can_add_members_group: noGuests('creator'),
  can_join_group: noGuests(nobody),
  can_leave_group: anyGroup(everyone),
  can_manage_group: noGuests('creator'),
  can_mention_group: anyGroup(everyone),
  can_remove_members_group: noGuests(nobody),
} as const satisfies Record<keyof UserGroupPermissions, GroupRule>;

/** A permission of a user group, as it is set there. */
export function groupPermission(
  { permissions }: { readonly permissions: UserGroupPermissions },
  name: keyof UserGroupPermissions,
): Permission {
  return { setting: permissions[name], rule: groupPermissionTable[name] };
}

/**
 * The permissions of a new group, with defaults for those that the request does not set.
 *
 * @throws ApplicationError those of {@link permissionValue}
 */
export function newGroupPermissions(
  snapshot: Snapshot,
  creatorId: number,
  sent: Partial<UserGroupPermissions>,
): UserGroupPermissions {
  const creator: GroupSetting = { direct_members: [creatorId], direct_subgroups: [] };
  const entries = Object.entries(groupPermissionTable) as [keyof UserGroupPermissions, GroupRule][];
  return Object.fromEntries(
    entries.map(([name, rule]) => {
      const value = sent[name] ?? (rule.initial === 'creator' ? creator : rule.initial);
      return [name, permissionValue(snapshot, { name, rule }, value)];
    }),
  ) as UserGroupPermissions;
}
