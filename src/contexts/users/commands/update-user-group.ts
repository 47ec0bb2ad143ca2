import type { Actor } from '../../../access/actor.js';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { changedPermissions } from '../../../access/permission-value.js';
import { mayManageGroup } from '../../../access/people-permissions.js';
import type { Caller } from '../../../http/caller.js';
import { failure } from '../../../kernel/errors.js';
import type { PermissionChange } from '../../../events/values/group-setting.js';
import { Decisions } from '../../../http/decisions.js';
import { foldedGroups } from '../group-directory.js';
import type { UserGroupEvent, UserGroupPermissions } from '../../../events/user-groups.js';
import { changeableGroup, freeGroupName, type GroupDirectory } from '../group-directory.js';
import { groupDescriptionOf } from '../group-name.js';
import { groupPermissionTable } from '../group-permissions.js';
import { assertNotInUse } from '../group-uses.js';
import type { UserGroup } from '../../../access/records/user-group.js';

/** Changes a user group: what it is called, who may do what with it, whether it is active (PATCH /user_groups/{id}). */
export class UpdateUserGroup extends Command<void> {
  constructor(
    readonly caller: Caller,
    readonly changes: UserGroupChanges,
  ) {
    super();
  }
}

/** What is to be changed; undefined: left as it is. */
export interface UserGroupChanges {
  readonly groupId: number;
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly isDeactivated?: boolean | undefined;
  readonly permissions: Partial<Record<keyof UserGroupPermissions, PermissionChange>>;
}

/**
 * A deactivated group can be changed like any other.
 *
 * @throws ApplicationError `noNewData`, `invalidUserGroup`, `insufficientPermission`,
 * `cannotDeactivateGroupInUse`, `expectationMismatch`, and those of a group's name, of its description and of a permission's value
 */
export function decideUpdateUserGroup(
  state: GroupDirectory,
  changes: UserGroupChanges,
  by: Actor,
): readonly UserGroupEvent[] {
  const group = changeableGroup(state, changes.groupId);
  if (!mayManageGroup(by.moment, by.user, group)) throw failure('insufficientPermission');
  assertSomething(changes);
  return [
    ...activityChanged(group, changes, by),
    ...renamed(state, group, changes),
    ...descriptionChanged(group, changes),
    ...permissionsChanged(group, changes, by),
  ];
}

function assertSomething({ name, description, isDeactivated, permissions }: UserGroupChanges): void {
  const isNothing = [name, description, isDeactivated].every((value) => value === undefined);
  if (isNothing && Object.keys(permissions).length === 0) throw failure('noNewData');
}

function activityChanged(
  group: UserGroup,
  { isDeactivated }: UserGroupChanges,
  { moment }: Actor,
): readonly UserGroupEvent[] {
  if (isDeactivated === undefined || isDeactivated === group.isDeactivated) return [];
  const data = { groupId: group.id };
  if (!isDeactivated) return [{ type: 'UserGroupReactivated', data }];
  assertNotInUse(moment, group.id);
  return [{ type: 'UserGroupDeactivated', data }];
}

function renamed(
  state: GroupDirectory,
  group: UserGroup,
  { name: sent }: UserGroupChanges,
): readonly UserGroupEvent[] {
  if (sent === undefined) return [];
  const name = freeGroupName(state, sent, group);
  if (name === group.name) return [];
  return [{ type: 'UserGroupRenamed', data: { groupId: group.id, name, previousName: group.name } }];
}

function descriptionChanged(
  group: UserGroup,
  { description: sent }: UserGroupChanges,
): readonly UserGroupEvent[] {
  if (sent === undefined || sent.trim() === group.description) return [];
  const description = groupDescriptionOf(sent);
  const { id: groupId, description: previousDescription } = group;
  return [{ type: 'UserGroupDescriptionChanged', data: { groupId, description, previousDescription } }];
}

function permissionsChanged(
  group: UserGroup,
  { permissions: changes }: UserGroupChanges,
  { moment }: Actor,
): readonly UserGroupEvent[] {
  const changed = changedPermissions<keyof UserGroupPermissions>(moment, {
    present: group.permissions,
    rules: groupPermissionTable,
    changes,
  });
  return changed === null
    ? []
    : [{ type: 'UserGroupPermissionsChanged', data: { groupId: group.id, ...changed } }];
}

@CommandHandler(UpdateUserGroup)
export class UpdateUserGroupHandler implements ICommandHandler<UpdateUserGroup> {
  constructor(private readonly decisions: Decisions) {}

  async execute({ caller, changes }: UpdateUserGroup): Promise<void> {
    await this.decisions.decide(caller, foldedGroups, (state, actor) =>
      decideUpdateUserGroup(state, changes, actor),
    );
  }
}
