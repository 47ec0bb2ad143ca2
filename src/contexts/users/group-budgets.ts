import type { UserGroup } from '../../access/records/user-group.js';
import { sizeOfSettings } from '../../events/values/group-setting.js';
import { budgets } from '../../kernel/budgets.js';
import { failure } from '../../kernel/errors.js';
import type { GroupDirectory } from './user-groups.state.js';

/** How a decision changes a list of a group. */
interface Growth {
  /** How many ids the list has now. */
  readonly present: number;
  readonly added: number;
  readonly removed: number;
}

/**
 * Removing subgroups is never refused.
 *
 * @throws ApplicationError `tooManySubgroups`
 */
export function assertRoomForSubgroups(state: GroupDirectory, { present, added, removed }: Growth): void {
  const growth = added - removed;
  if (growth <= 0) return;
  const inAll = sumOver(state, ({ subgroupIds }) => subgroupIds.length);
  if (present + growth > budgets.subgroupsOfGroup.max || inAll + growth > budgets.subgroups.max) {
    throw failure('tooManySubgroups');
  }
}

/** What a group has in memory beside its subgroups. */
interface GroupSize {
  /** Direct members. */
  readonly members: number;
  /** People and groups that its permissions name. */
  readonly named: number;
}

/** The size of a group, or of a new one. */
export function sizeOf({ memberIds, permissions }: Pick<UserGroup, 'memberIds' | 'permissions'>): GroupSize {
  return { members: memberIds.length, named: sizeOfSettings(permissions) };
}

/**
 * A change that makes a group smaller is never refused.
 *
 * @throws ApplicationError `tooManyGroupMembers`
 */
export function assertRoomForMembers(state: GroupDirectory, before: GroupSize, after: GroupSize): void {
  if (after.members > before.members && after.members > budgets.membersOfGroup.max) {
    throw failure('tooManyGroupMembers');
  }
  const growth = after.members + after.named - before.members - before.named;
  if (growth <= 0) return;
  const inAll = sumOver(state, (group) => {
    const { members, named } = sizeOf(group);
    return members + named;
  });
  if (inAll + growth > budgets.groupMembers.max) throw failure('tooManyGroupMembers');
}

function sumOver({ groups }: GroupDirectory, count: (group: UserGroup) => number): number {
  let sum = 0;
  for (const group of groups.values()) sum += count(group);
  return sum;
}
