import { normalizeGroupSetting, type GroupSetting } from '../events/values/group-setting.js';
import type { Directory } from './directory.js';

/**
 * Who may do a thing, as everyone is shown it: without people whose accounts are deactivated. They stay in the value that is
 * kept, and hold the permission again once they are active.
 */
export function shownSetting(directory: Directory, setting: GroupSetting): GroupSetting {
  if (typeof setting === 'number') return setting;
  const members = setting.direct_members.filter((id) => directory.user(id)?.isActive === true);
  if (members.length === setting.direct_members.length) return setting;
  return normalizeGroupSetting({ ...setting, direct_members: members });
}

/** Permissions as {@link shownSetting} shows each of them. */
export function shownPermissions<Permissions extends object>(
  directory: Directory,
  permissions: Permissions & { readonly [Name in keyof Permissions]?: GroupSetting },
): Permissions {
  const entries = Object.entries(permissions) as [string, GroupSetting][];
  return Object.fromEntries(
    entries.map(([name, setting]) => [name, shownSetting(directory, setting)]),
  ) as Permissions;
}
