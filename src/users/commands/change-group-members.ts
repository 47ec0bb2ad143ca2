import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { isKnownSetting } from '../../directory/membership.js';
import {
  mayAddGroupMembers,
  mayJoinGroup,
  mayLeaveGroup,
  mayRemoveGroupMembers,
} from '../../directory/people-permissions.js';
import type { Caller } from '../../http/caller.js';
import { failure } from '../../kernel/errors.js';
import { Accounts } from '../accounts.js';
import type { ActorAt } from '../decisions.js';
import type { UserGroupEvent } from '../events.js';
import { changeableGroup, type GroupDirectory } from '../group-directory.js';
import type { UserGroup } from '../user-group.js';

/** Adds people to a user group and removes others (facts, section 5). */
export class ChangeGroupMembers extends Command<void> {
  constructor(
    readonly caller: Caller,
    readonly changes: MemberChanges,
  ) {
    super();
  }
}

/** Who is to be added to a group and who removed. */
export interface MemberChanges {
  readonly groupId: number;
  readonly add: readonly number[];
  readonly remove: readonly number[];
}

/**
 * All or nothing: one person who is in the group already, or not in it, refuses the whole change.
 *
 * @throws ApplicationError `nothingToDo`, `invalidUserGroup`, `insufficientPermission`, `noSuchUser`,
 * `alreadyInUserGroup`, `notInUserGroup`
 */
export function decideChangeGroupMembers(
  state: GroupDirectory,
  { groupId, add, remove }: MemberChanges,
  by: ActorAt,
): readonly UserGroupEvent[] {
  if (add.length === 0 && remove.length === 0) throw failure('nothingToDo');
  const group = changeableGroup(state, groupId);
  const added = [...new Set(add)];
  const removed = [...new Set(remove)];
  if (!mayAdd(by, group, added) || !mayRemove(by, group, removed)) throw failure('insufficientPermission');
  const newcomers = { direct_members: added, direct_subgroups: [] };
  if (!isKnownSetting(by.moment, newcomers)) throw failure('noSuchUser');
  const present = added.find((userId) => group.memberIds.includes(userId));
  if (present !== undefined) throw failure('alreadyInUserGroup', { reason: String(present) });
  const absent = removed.find((userId) => !group.memberIds.includes(userId));
  if (absent !== undefined) throw failure('notInUserGroup', { reason: String(absent) });
  return [{ type: 'UserGroupMembersChanged', data: { groupId, added, removed } }];
}

function mayAdd({ actor, moment }: ActorAt, group: UserGroup, added: readonly number[]): boolean {
  if (added.length === 0) return true;
  const onlySelf = added.every((userId) => userId === actor.id);
  return onlySelf ? mayJoinGroup(moment, actor, group) : mayAddGroupMembers(moment, actor, group);
}

function mayRemove({ actor, moment }: ActorAt, group: UserGroup, removed: readonly number[]): boolean {
  if (removed.length === 0) return true;
  const onlySelf = removed.every((userId) => userId === actor.id);
  return onlySelf ? mayLeaveGroup(moment, actor, group) : mayRemoveGroupMembers(moment, actor, group);
}

@CommandHandler(ChangeGroupMembers)
export class ChangeGroupMembersHandler implements ICommandHandler<ChangeGroupMembers> {
  constructor(private readonly accounts: Accounts) {}

  async execute({ caller, changes }: ChangeGroupMembers): Promise<void> {
    await this.accounts.decideGroups(caller, (state, by) => decideChangeGroupMembers(state, changes, by));
  }
}
