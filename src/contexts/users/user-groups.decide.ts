import type { Actor } from '../../access/actor.js';
import { hasMetadataAccess } from '../../access/channel-permissions.js';
import { groupPermissionTable, newGroupPermissions } from '../../access/group-permission-values.js';
import { isKnownSetting } from '../../access/membership.js';
import { mayCreateGroups, mayManageGroup } from '../../access/people-permissions.js';
import { changedPermissions } from '../../access/permission-value.js';
import type { UserGroup } from '../../access/records/user-group.js';
import type { Snapshot } from '../../access/snapshot.js';
import type { UserGroupEvent, UserGroupPermissions } from '../../events/user-groups.js';
import type { GroupSetting, PermissionChange } from '../../events/values/group-setting.js';
import { budgets } from '../../kernel/budgets.js';
import { failure } from '../../kernel/errors.js';
import { idAtRevision } from '../../kernel/ids.js';
import { assertRoomForMembers, assertRoomForSubgroups, sizeOf } from './group-budgets.js';
import { assertMayLetIn } from './group-members.decide.js';
import { groupDescriptionOf } from './names.js';
import { changeableGroup, freeGroupName, type GroupDirectory } from './user-groups.state.js';

/** Something that uses a user group, which therefore cannot be deactivated. */
type GroupUse =
  | { readonly type: 'realm'; readonly settings: readonly string[] }
  | { readonly type: 'channel'; readonly channel_id: number; readonly settings: readonly string[] }
  | { readonly type: 'user_group'; readonly group_id: number; readonly settings: readonly string[] }
  | { readonly type: 'subgroup'; readonly supergroup_ids: readonly number[] };

/** Active things that use the group: other groups, and permissions. */
function usesOf({ directory }: Snapshot, groupId: number): readonly GroupUse[] {
  const uses: GroupUse[] = [];
  const others = [...directory.groups()].filter(({ id, isDeactivated }) => id !== groupId && !isDeactivated);
  const supergroupIds = others.filter(({ subgroupIds }) => subgroupIds.includes(groupId)).map(({ id }) => id);
  if (supergroupIds.length > 0) uses.push({ type: 'subgroup', supergroup_ids: supergroupIds });
  const inOrganization = settingsNaming(directory.organization?.permissions ?? {}, groupId);
  if (inOrganization.length > 0) uses.push({ type: 'realm', settings: inOrganization });
  for (const { id, isArchived, permissions } of directory.channels()) {
    const settings = isArchived ? [] : settingsNaming(permissions, groupId);
    if (settings.length > 0) uses.push({ type: 'channel', channel_id: id, settings });
  }
  for (const { id, permissions } of others) {
    const settings = settingsNaming(permissions, groupId);
    if (settings.length > 0) uses.push({ type: 'user_group', group_id: id, settings });
  }
  return uses;
}

/**
 * @throws ApplicationError `cannotDeactivateGroupInUse`, with what uses the group, except channels that the
 * person may not know of
 */
function assertNotInUse({ user, snapshot }: Actor, groupId: number): void {
  const uses = usesOf(snapshot, groupId);
  if (uses.length === 0) return;
  const objections = uses.filter((use) => {
    const channel = use.type === 'channel' ? snapshot.directory.channel(use.channel_id) : null;
    return channel === null || hasMetadataAccess(snapshot, user, channel);
  });
  throw failure('cannotDeactivateGroupInUse', { objections });
}

function settingsNaming(permissions: Readonly<Record<string, GroupSetting>>, groupId: number): string[] {
  return Object.entries(permissions)
    .filter(([, setting]) =>
      typeof setting === 'number' ? setting === groupId : setting.direct_subgroups.includes(groupId),
    )
    .map(([name]) => name);
}

/** The parameters of a new group. */
export interface NewUserGroup {
  readonly name: string;
  readonly description: string;
  readonly memberIds: readonly number[];
  readonly subgroupIds: readonly number[];
  readonly permissions: Partial<UserGroupPermissions>;
}

/**
 * @throws ApplicationError `insufficientPermission`, `tooManyUserGroups`, `tooManySubgroups`, `tooManyGroupMembers`, `noSuchUser`,
 * `invalidUserGroup`, or those of {@link freeGroupName},
 * {@link groupDescriptionOf} and of a permission's value
 */
export function decideCreateUserGroup(
  state: GroupDirectory,
  group: NewUserGroup,
  { user: actor, snapshot }: Actor,
): readonly UserGroupEvent[] {
  if (!mayCreateGroups(snapshot, actor)) throw failure('insufficientPermission');
  if (state.groups.size >= budgets.userGroups.max) throw failure('tooManyUserGroups');
  const name = freeGroupName(state, group.name, null);
  const memberIds = [...new Set(group.memberIds)];
  const subgroupIds = [...new Set(group.subgroupIds)];
  if (!isKnownSetting(snapshot, { direct_members: memberIds, direct_subgroups: [] }))
    throw failure('noSuchUser');
  if (!isKnownSetting(snapshot, { direct_members: [], direct_subgroups: subgroupIds }))
    throw failure('invalidUserGroup');
  assertRoomForSubgroups(state, { present: 0, added: subgroupIds.length, removed: 0 });
  const permissions = newGroupPermissions(snapshot, actor.id, group.permissions);
  assertRoomForMembers(state, { members: 0, named: 0 }, sizeOf({ memberIds, permissions }));
  return [
    {
      type: 'UserGroupCreated',
      data: {
        groupId: idAtRevision(state.nextRevision),
        name,
        description: groupDescriptionOf(group.description),
        isSystem: false,
        memberIds,
        subgroupIds,
        permissions,
      },
    },
  ];
}

/** The changes; undefined: no change. */
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
 * `cannotDeactivateGroupInUse`, `expectationMismatch`, `tooManyGroupMembers`, and those of a group's name, of its description and of
 * a permission's value
 */
export function decideUpdateUserGroup(
  state: GroupDirectory,
  changes: UserGroupChanges,
  actor: Actor,
): readonly UserGroupEvent[] {
  const group = changeableGroup(state, changes.groupId);
  if (!mayManageGroup(actor.snapshot, actor.user, group)) throw failure('insufficientPermission');
  assertSomething(changes);
  return [
    ...activityChanged(state, { group, isDeactivated: changes.isDeactivated }, actor),
    ...renamed(state, group, changes),
    ...descriptionChanged(group, changes),
    ...permissionsChanged(state, { group, changes: changes.permissions }, actor),
  ];
}

function assertSomething({ name, description, isDeactivated, permissions }: UserGroupChanges): void {
  const isNothing = [name, description, isDeactivated].every((value) => value === undefined);
  if (isNothing && Object.keys(permissions).length === 0) throw failure('noNewData');
}

function activityChanged(
  state: GroupDirectory,
  { group, isDeactivated }: Pick<UserGroupChanges, 'isDeactivated'> & { readonly group: UserGroup },
  actor: Actor,
): readonly UserGroupEvent[] {
  if (isDeactivated === undefined || isDeactivated === group.isDeactivated) return [];
  const data = { groupId: group.id };
  if (!isDeactivated) {
    assertMayLetIn(state, actor, group);
    return [{ type: 'UserGroupReactivated', data }];
  }
  assertNotInUse(actor, group.id);
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
  state: GroupDirectory,
  { group, changes }: { readonly group: UserGroup; readonly changes: UserGroupChanges['permissions'] },
  actor: Actor,
): readonly UserGroupEvent[] {
  const changed = changedPermissions<keyof UserGroupPermissions>(actor.snapshot, {
    present: group.permissions,
    rules: groupPermissionTable,
    changes,
  });
  if (changed === null) return [];
  assertMayLetIn(state, actor, group);
  const permissions = { ...group.permissions, ...changed.permissions };
  assertRoomForMembers(state, sizeOf(group), sizeOf({ ...group, permissions }));
  return [{ type: 'UserGroupPermissionsChanged', data: { groupId: group.id, ...changed } }];
}
