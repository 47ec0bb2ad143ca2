import { systemGroupIds } from './organization-defaults.js';
import type { GroupSetting } from './group-setting.js';

/** The groups that a permission may be given to, and its default. */
export interface GroupRule {
  /** A system group's id; `creator`: the creator of the thing. */
  readonly initial: number | 'creator';
  /** Whether guests may have it. */
  readonly allowsEveryone: boolean;
  /** Whether it may be given to nobody. */
  readonly allowsNobody: boolean;
  /** Ids of the only groups that are allowed; null: no such restriction. */
  readonly onlySystemGroups: readonly number[] | null;
}

/** The default of a rule. */
const open: Omit<GroupRule, 'initial'> = {
  allowsEveryone: true,
  allowsNobody: true,
  onlySystemGroups: null,
};

/** A permission for any group within the organization. */
export function anyGroup(initial: GroupRule['initial']): GroupRule {
  return { ...open, initial };
}

/** A permission that guests cannot have. */
export function noGuests(initial: GroupRule['initial']): GroupRule {
  return { ...open, initial, allowsEveryone: false };
}

/** A permission that guests cannot have, and that cannot be given to nobody. */
export function somebody(initial: GroupRule['initial']): GroupRule {
  return { ...open, initial, allowsEveryone: false, allowsNobody: false };
}

/** A permission that can be given only to one of these system groups. */
export function oneOf(initial: number, groups: readonly number[]): GroupRule {
  return {
    initial,
    allowsEveryone: groups.includes(systemGroupIds.everyone),
    allowsNobody: groups.includes(systemGroupIds.nobody),
    onlySystemGroups: groups,
  };
}

/** Why a rule refuses a value. */
type RuleBreach = 'needs-system-group' | 'not-allowed';

/** @param value in the form of {@link normalizeGroupSetting} */
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
