import { normalizeGroupSetting, type GroupSetting } from '../events/values/group-setting.js';
import type { Directory } from './directory.js';

/**
 * A group setting as clients get it: without deactivated people. They stay in the stored value, and have the
 * permission again when they are reactivated.
 */
export function shownSetting(directory: Directory, setting: GroupSetting): GroupSetting {
  if (typeof setting === 'number') return setting;
  const members = setting.direct_members.filter((id) => directory.user(id)?.isActive === true);
  if (members.length === setting.direct_members.length) return setting;
  return normalizeGroupSetting({ ...setting, direct_members: members });
}

/** Permissions with each value as in {@link shownSetting}. */
export function shownPermissions<Permissions extends object>(
  directory: Directory,
  permissions: Permissions & { readonly [Name in keyof Permissions]?: GroupSetting },
): Permissions {
  const entries = Object.entries(permissions) as [string, GroupSetting][];
  return Object.fromEntries(
    entries.map(([name, setting]) => [name, shownSetting(directory, setting)]),
  ) as Permissions;
}
