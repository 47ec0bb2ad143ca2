import type { UserGroup } from '../../access/records/user-group.js';
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

function sumOver({ groups }: GroupDirectory, count: (group: UserGroup) => number): number {
  let sum = 0;
  for (const group of groups.values()) sum += count(group);
  return sum;
}
