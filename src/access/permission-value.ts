import { breachOf, type GroupRule } from '../events/values/group-rule.js';
import {
  isSameSetting,
  normalizeGroupSetting,
  sizeOfSetting,
  type GroupSetting,
  type PermissionChange,
} from '../events/values/group-setting.js';
import { budgets } from '../kernel/budgets.js';
import { failure } from '../kernel/errors.js';
import type { Directory } from './directory.js';
import { isKnownSetting } from './membership.js';
import type { Snapshot } from './snapshot.js';

/**
 * A group setting as clients get it: without deactivated people. They stay in the stored value, and have the
 * permission again when they are reactivated.
 */
function shownSetting(directory: Directory, setting: GroupSetting): GroupSetting {
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

/** A permission to set, with the groups that it may be given to. */
interface GivenPermission {
  readonly name: string;
  readonly rule: GroupRule;
  /** Its present value: people in it may stay even if their accounts are deactivated. */
  readonly before?: GroupSetting;
}

/**
 * The stored form of a permission's value. A present value that names too many may become smaller in steps.
 *
 * @throws ApplicationError `permissionTooLong`, `invalidGroupSetting` for unknown groups and people,
 * `systemGroupRequired`, `groupNotAllowed`
 */
export function permissionValue(
  snapshot: Snapshot,
  { name, rule, before }: GivenPermission,
  sent: GroupSetting,
): GroupSetting {
  const value = normalizeGroupSetting(sent);
  const present = before === undefined ? 0 : sizeOfSetting(before);
  const size = sizeOfSetting(value);
  if (size >= present && size > budgets.namedInPermission.max) {
    throw failure('permissionTooLong', { reason: name });
  }
  if (!isKnownSetting(snapshot, withoutMembersOf(value, before)))
    throw failure('invalidGroupSetting', { reason: name });
  const breach = breachOf(rule, value);
  if (breach === 'needs-system-group') throw failure('systemGroupRequired', { setting_name: name });
  if (breach === 'not-allowed') throw failure('groupNotAllowed', { reason: name });
  return value;
}

function withoutMembersOf(value: GroupSetting, before: GroupSetting | undefined): GroupSetting {
  if (typeof value === 'number' || before === undefined || typeof before === 'number') return value;
  return {
    ...value,
    direct_members: value.direct_members.filter((id) => !before.direct_members.includes(id)),
  };
}

/** Permissions that a change really changes, with their previous values. */
interface ChangedPermissions<Name extends string> {
  readonly permissions: Partial<Record<Name, GroupSetting>>;
  readonly previousPermissions: Partial<Record<Name, GroupSetting>>;
}

/** The present permissions, the restrictions for each, and their requested values. */
interface PermissionChanges<Name extends string> {
  readonly present: Readonly<Record<Name, GroupSetting>>;
  readonly rules: Readonly<Record<Name, GroupRule>>;
  readonly changes: Readonly<Partial<Record<Name, PermissionChange>>>;
}

/**
 * Deactivated people stay in a value although clients do not see them: a client may send the value with or
 * without them.
 *
 * @returns null when nothing would change
 * @throws ApplicationError `expectationMismatch` when the present value is not the one that the client
 * expects, and those of {@link permissionValue}
 */
export function changedPermissions<Name extends string>(
  snapshot: Snapshot,
  { present, rules, changes }: PermissionChanges<Name>,
): ChangedPermissions<Name> | null {
  const permissions: Partial<Record<Name, GroupSetting>> = {};
  const previousPermissions: Partial<Record<Name, GroupSetting>> = {};
  for (const [name, change] of Object.entries(changes) as [Name, PermissionChange][]) {
    const before = present[name];
    const isPresent = (value: GroupSetting): boolean =>
      [before, shownSetting(snapshot.directory, before)].some((form) => isSameSetting(value, form));
    if (change.old != null && !isPresent(change.old)) {
      throw failure('expectationMismatch', { field_name: 'old' });
    }
    const value = permissionValue(snapshot, { name, rule: rules[name], before }, change.new);
    if (isPresent(value)) continue;
    permissions[name] = value;
    previousPermissions[name] = before;
  }
  return Object.keys(permissions).length === 0 ? null : { permissions, previousPermissions };
}
