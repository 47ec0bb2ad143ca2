import type { Actor } from '../../access/actor.js';
import { isKnownSetting } from '../../access/membership.js';
import {
  mayLetIntoGroup,
  mayAddGroupMembers,
  mayJoinGroup,
  mayLeaveGroup,
  mayRemoveGroupMembers,
} from '../../access/people-permissions.js';
import { failure } from '../../kernel/errors.js';
import { assertRoomForMembers, assertRoomForSubgroups, sizeOf } from './group-budgets.js';
import { changeableGroup, type GroupDirectory } from './user-groups.state.js';
import type { UserGroupEvent } from '../../events/user-groups.js';
import type { UserGroup } from '../../access/records/user-group.js';

/** The people and groups to add to a group and to remove from it. */
export interface MemberChanges {
  readonly groupId: number;
  readonly add: readonly number[];
  readonly remove: readonly number[];
  readonly addSubgroups: readonly number[];
  readonly removeSubgroups: readonly number[];
}

/**
 * All or nothing: a person to add who is a member already, or one to remove who is none, refuses the whole
 * change.
 *
 * @throws ApplicationError `nothingToDo`, `invalidUserGroup`, `insufficientPermission`,
 * `userGroupDeactivated`, `noSuchUser`, `alreadyInUserGroup`, `notInUserGroup`, `alreadySubgroup`,
 * `notSubgroup`, `subgroupCycle`, `tooManySubgroups`, `tooManyGroupMembers`
 */
export function decideChangeGroupMembers(
  state: GroupDirectory,
  changes: MemberChanges,
  actor: Actor,
): readonly UserGroupEvent[] {
  const { groupId, add, remove, addSubgroups, removeSubgroups } = changes;
  if ([add, remove, addSubgroups, removeSubgroups].every((ids) => ids.length === 0))
    throw failure('nothingToDo');
  const group = changeableGroup(state, groupId);
  return [
    ...membersChanged(state, { group, add, remove }, actor),
    ...subgroupsChanged(state, { group, add: addSubgroups, remove: removeSubgroups }, actor),
  ];
}

/**
 * Checks that a change makes nobody an auditor, unless an owner makes it. The subgroups are those of the state that is
 * decided on: the snapshot of the request may be older, where another change of the groups came first.
 *
 * @throws ApplicationError `insufficientPermission`
 */
export function assertMayLetIn({ groups }: GroupDirectory, actor: Actor, group: UserGroup): void {
  if (!mayLetIntoGroup(actor, group, (id) => groups.get(id))) throw failure('insufficientPermission');
}

interface ChangedMembers {
  readonly group: UserGroup;
  readonly add: readonly number[];
  readonly remove: readonly number[];
}

function membersChanged(
  state: GroupDirectory,
  { group, add, remove }: ChangedMembers,
  actor: Actor,
): readonly UserGroupEvent[] {
  const added = [...new Set(add)];
  const removed = [...new Set(remove)];
  if (added.length === 0 && removed.length === 0) return [];
  if (!mayAdd(actor, group, added) || !mayRemove(actor, group, removed))
    throw failure('insufficientPermission');
  if (added.length > 0) assertMayLetIn(state, actor, group);
  const newcomers = { direct_members: added, direct_subgroups: [] };
  if (!isKnownSetting(actor.snapshot, newcomers)) throw failure('noSuchUser');
  const members = new Set(group.memberIds);
  const present = added.find((userId) => members.has(userId));
  if (present !== undefined) throw failure('alreadyInUserGroup', { reason: String(present) });
  const absent = removed.find((userId) => !members.has(userId));
  if (absent !== undefined) throw failure('notInUserGroup', { reason: String(absent) });
  const before = sizeOf(group);
  const after = { ...before, members: before.members + added.length - removed.length };
  assertRoomForMembers(state, before, after);
  return [{ type: 'UserGroupMembersChanged', data: { groupId: group.id, added, removed } }];
}

/** The permission to add people covers adding subgroups. */
function subgroupsChanged(
  state: GroupDirectory,
  { group, add, remove }: ChangedMembers,
  actor: Actor,
): readonly UserGroupEvent[] {
  const { user, snapshot } = actor;
  const added = [...new Set(add)];
  const removed = [...new Set(remove)];
  if (added.length === 0 && removed.length === 0) return [];
  if (added.length > 0 && !mayAddGroupMembers(snapshot, user, group)) throw failure('insufficientPermission');
  if (removed.length > 0 && !mayRemoveGroupMembers(snapshot, user, group))
    throw failure('insufficientPermission');
  if (added.length > 0) assertMayLetIn(state, actor, group);
  const { groups } = state;
  if ([...added, ...removed].some((id) => groups.get(id) === undefined)) throw failure('invalidUserGroup');
  if (added.some((id) => groups.get(id)?.isDeactivated === true)) throw failure('userGroupDeactivated');
  const present = added.find((id) => group.subgroupIds.includes(id));
  if (present !== undefined) throw failure('alreadySubgroup', { reason: String(present) });
  const absent = removed.find((id) => !group.subgroupIds.includes(id));
  if (absent !== undefined) throw failure('notSubgroup', { reason: String(absent) });
  if (isWithin(groups, group.id, added)) throw failure('subgroupCycle', { reason: String(group.id) });
  assertRoomForSubgroups(state, {
    present: group.subgroupIds.length,
    added: added.length,
    removed: removed.length,
  });
  return [{ type: 'UserGroupSubgroupsChanged', data: { groupId: group.id, added, removed } }];
}

/** Whether a group is one of these, or a direct or indirect subgroup of one. */
function isWithin(groups: GroupDirectory['groups'], groupId: number, holders: readonly number[]): boolean {
  const seen = new Set(holders);
  for (const id of seen) groups.get(id)?.subgroupIds.forEach((subgroup) => seen.add(subgroup));
  return seen.has(groupId);
}

function mayAdd({ user: actor, snapshot }: Actor, group: UserGroup, added: readonly number[]): boolean {
  if (added.length === 0) return true;
  const onlySelf = added.every((userId) => userId === actor.id);
  return onlySelf ? mayJoinGroup(snapshot, actor, group) : mayAddGroupMembers(snapshot, actor, group);
}

function mayRemove({ user: actor, snapshot }: Actor, group: UserGroup, removed: readonly number[]): boolean {
  if (removed.length === 0) return true;
  const onlySelf = removed.every((userId) => userId === actor.id);
  return onlySelf ? mayLeaveGroup(snapshot, actor, group) : mayRemoveGroupMembers(snapshot, actor, group);
}
