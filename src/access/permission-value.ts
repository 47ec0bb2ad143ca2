import { failure } from '../kernel/errors.js';
import { breachOf, type GroupRule } from '../events/values/group-rule.js';
import {
  isSameSetting,
  normalizeGroupSetting,
  type GroupSetting,
  type PermissionChange,
} from '../events/values/group-setting.js';
import { isKnownSetting } from './membership.js';
import type { Snapshot } from './snapshot.js';
import { shownSetting } from './shown-permission.js';

/** A permission that is to be given, and which groups it may be given to. */
export interface GivenPermission {
  readonly name: string;
  readonly rule: GroupRule;
  /** Who has the permission already: people among them may stay, even if their accounts are deactivated. */
  readonly before?: GroupSetting;
}

/**
 * A permission's value as it is kept.
 *
 * @throws ApplicationError `invalidGroupSetting` for unknown groups and people, `systemGroupRequired`, `groupNotAllowed`
 */
export function permissionValue(
  snapshot: Snapshot,
  { name, rule, before }: GivenPermission,
  sent: GroupSetting,
): GroupSetting {
  const value = normalizeGroupSetting(sent);
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

/** What a change makes of some permissions: only those that it really changes, and what they were. */
export interface ChangedPermissions<Name extends string> {
  readonly permissions: Partial<Record<Name, GroupSetting>>;
  readonly previousPermissions: Partial<Record<Name, GroupSetting>>;
}

/** Permissions as they are, how each may be given, and how they are to be. */
export interface PermissionChanges<Name extends string> {
  readonly present: Readonly<Record<Name, GroupSetting>>;
  readonly rules: Readonly<Record<Name, GroupRule>>;
  readonly changes: Readonly<Partial<Record<Name, PermissionChange>>>;
}

/**
 * People whose accounts are deactivated stay in a value unseen: a client may say it with them or without.
 *
 * @returns null when nothing would change
 * @throws ApplicationError `expectationMismatch` when the client believes in a value that is not the present one, and those
 * of {@link permissionValue}
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
