import { isKnownSetting } from '../directory/membership.js';
import type { Moment } from '../directory/moment.js';
import { failure } from '../kernel/errors.js';
import { systemGroupIds } from '../organization/defaults.js';
import { normalizeGroupSetting, type GroupSetting } from '../organization/group-setting.js';
import type { UserGroupPermissions } from './events.js';

/** Who may do what with the server's own groups: their members follow from roles, and nobody may mention them. */
export const systemGroupPermissions: UserGroupPermissions = {
  can_add_members_group: systemGroupIds.nobody,
  can_join_group: systemGroupIds.nobody,
  can_leave_group: systemGroupIds.nobody,
  can_manage_group: systemGroupIds.nobody,
  can_mention_group: systemGroupIds.nobody,
  can_remove_members_group: systemGroupIds.nobody,
};

/**
 * Who may do what with a new group: what the request says, else its creator manages it and everyone may mention and leave it.
 *
 * @throws ApplicationError `invalidGroupSetting`
 */
export function newGroupPermissions(
  moment: Moment,
  creatorId: number,
  sent: Partial<UserGroupPermissions>,
): UserGroupPermissions {
  const permissions = { ...defaultsFor(creatorId), ...sent };
  const entries = Object.entries(permissions) as [keyof UserGroupPermissions, GroupSetting][];
  return Object.fromEntries(
    entries.map(([permission, setting]) => {
      const value = normalizeGroupSetting(setting);
      if (!isKnownSetting(moment, value)) throw failure('invalidGroupSetting', { reason: permission });
      return [permission, value];
    }),
  ) as UserGroupPermissions;
}

function defaultsFor(creatorId: number): UserGroupPermissions {
  const creator = { direct_members: [creatorId], direct_subgroups: [] };
  return {
    can_add_members_group: creator,
    can_join_group: systemGroupIds.nobody,
    can_leave_group: systemGroupIds.everyone,
    can_manage_group: creator,
    can_mention_group: systemGroupIds.everyone,
    can_remove_members_group: systemGroupIds.nobody,
  };
}
