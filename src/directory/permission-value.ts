import { failure } from '../kernel/errors.js';
import { breachOf, type GroupRule } from '../organization/group-rule.js';
import {
  isSameSetting,
  normalizeGroupSetting,
  type GroupSetting,
  type PermissionChange,
} from '../organization/group-setting.js';
import { isKnownSetting } from './membership.js';
import type { Moment } from './moment.js';

/** A permission that is to be given, and which groups it may be given to. */
export interface GivenPermission {
  readonly name: string;
  readonly rule: GroupRule;
}

/**
 * A permission's value as it is kept.
 *
 * @throws ApplicationError `invalidGroupSetting` for unknown groups and people, `systemGroupRequired`, `groupNotAllowed`
 */
export function permissionValue(
  moment: Moment,
  { name, rule }: GivenPermission,
  sent: GroupSetting,
): GroupSetting {
  const value = normalizeGroupSetting(sent);
  if (!isKnownSetting(moment, value)) throw failure('invalidGroupSetting', { reason: name });
  const breach = breachOf(rule, value);
  if (breach === 'needs-system-group') throw failure('systemGroupRequired', { setting_name: name });
  if (breach === 'not-allowed') throw failure('groupNotAllowed', { reason: name });
  return value;
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
 * @returns null when nothing would change
 * @throws ApplicationError `expectationMismatch` when the client believes in a value that is not the present one, and those
 * of {@link permissionValue}
 */
export function changedPermissions<Name extends string>(
  moment: Moment,
  { present, rules, changes }: PermissionChanges<Name>,
): ChangedPermissions<Name> | null {
  const permissions: Partial<Record<Name, GroupSetting>> = {};
  const previousPermissions: Partial<Record<Name, GroupSetting>> = {};
  for (const [name, change] of Object.entries(changes) as [Name, PermissionChange][]) {
    const before = present[name];
    if (change.old !== undefined && !isSameSetting(change.old, before)) {
      throw failure('expectationMismatch', { field_name: 'old' });
    }
    const value = permissionValue(moment, { name, rule: rules[name] }, change.new);
    if (isSameSetting(value, before)) continue;
    permissions[name] = value;
    previousPermissions[name] = before;
  }
  return Object.keys(permissions).length === 0 ? null : { permissions, previousPermissions };
}
