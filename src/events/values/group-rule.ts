import { systemGroupIds } from './organization-defaults.js';
import type { GroupSetting } from './group-setting.js';

/** Which groups a permission may be given to, and whose it is at first. */
export interface GroupRule {
  /** A system group's id; `creator`: whoever makes the thing. */
  readonly initial: number | 'creator';
  /** Whether guests may be among those who hold it. */
  readonly allowsEveryone: boolean;
  /** Whether it may be nobody's. */
  readonly allowsNobody: boolean;
  /** Where only some system groups will do: their ids. */
  readonly onlySystemGroups: readonly number[] | null;
}

/** What a rule says when it says nothing else. */
const open: Omit<GroupRule, 'initial'> = {
  allowsEveryone: true,
  allowsNobody: true,
  onlySystemGroups: null,
};

/** A permission that any group may be given but people outside the organization. */
export function anyGroup(initial: GroupRule['initial']): GroupRule {
  return { ...open, initial };
}

/** A permission that guests never hold. */
export function noGuests(initial: GroupRule['initial']): GroupRule {
  return { ...open, initial, allowsEveryone: false };
}

/** A permission that guests never hold and that somebody must. */
export function somebody(initial: GroupRule['initial']): GroupRule {
  return { ...open, initial, allowsEveryone: false, allowsNobody: false };
}

/** A permission that only one of these system groups can hold. */
export function oneOf(initial: number, groups: readonly number[]): GroupRule {
  return {
    initial,
    allowsEveryone: groups.includes(systemGroupIds.everyone),
    allowsNobody: groups.includes(systemGroupIds.nobody),
    onlySystemGroups: groups,
  };
}

/** What a rule finds wrong with a value; null: nothing. */
export type RuleBreach = 'needs-system-group' | 'not-allowed';

/** @param value as {@link normalizeGroupSetting} writes it */
export function breachOf(rule: GroupRule, value: GroupSetting): RuleBreach | null {
  if (rule.onlySystemGroups !== null) {
    if (typeof value !== 'number' || !systemGroups.has(value)) return 'needs-system-group';
    if (!rule.onlySystemGroups.includes(value)) return 'not-allowed';
  }
  const groups = typeof value === 'number' ? [value] : value.direct_subgroups;
  if (groups.includes(systemGroupIds.internet)) return 'not-allowed';
  if (!rule.allowsEveryone && groups.includes(systemGroupIds.everyone)) return 'not-allowed';
  return !rule.allowsNobody && isNobody(value) ? 'not-allowed' : null;
}

const systemGroups: ReadonlySet<number> = new Set(Object.values(systemGroupIds));

function isNobody(value: GroupSetting): boolean {
  if (typeof value === 'number') return value === systemGroupIds.nobody;
  return (
    value.direct_members.length === 0 && value.direct_subgroups.every((id) => id === systemGroupIds.nobody)
  );
}
