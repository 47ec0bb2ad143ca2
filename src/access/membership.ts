import type { GroupSetting } from '../events/values/group-setting.js';
import { systemGroupIds } from '../events/values/organization-defaults.js';
import type { GroupRule } from '../events/values/group-rule.js';
import {
  organizationPermissionTable,
  type OrganizationPermissions,
} from '../events/values/organization-permissions.js';
import { PerDirectoryState } from './directory.js';
import { GroupNesting, type Listed } from './group-nesting.js';
import { isGuest, roles } from './records/roles.js';
import type { User } from './records/user.js';
import type { UserGroup } from './records/user-group.js';
import type { Snapshot } from './snapshot.js';

const MILLISECONDS_PER_DAY = 86_400_000;

type SystemGroupId = (typeof systemGroupIds)[keyof typeof systemGroupIds];

/**
 * Which accounts each system group lists directly; groups of higher roles are its subgroups. A full member is
 * listed twice, as clients expect.
 */
const listedInSystemGroup: Readonly<Record<SystemGroupId, (snapshot: Snapshot, user: User) => boolean>> = {
  [systemGroupIds.internet]: () => false,
  [systemGroupIds.everyone]: (_snapshot, user) => user.role === roles.guest,
  [systemGroupIds.members]: (_snapshot, user) => user.role === roles.member,
  [systemGroupIds.fullMembers]: (snapshot, user) => user.role === roles.member && hasWaited(snapshot, user),
  [systemGroupIds.moderators]: (_snapshot, user) => user.role === roles.moderator,
  [systemGroupIds.administrators]: (_snapshot, user) => user.role === roles.administrator,
  [systemGroupIds.owners]: (_snapshot, user) => user.role === roles.owner,
  [systemGroupIds.nobody]: () => false,
};

/** Whether an account is old enough (organization setting `waiting_period_threshold`, in days). */
function hasWaited({ directory, now }: Snapshot, user: User): boolean {
  const days = directory.organization?.settings.waiting_period_threshold ?? 0;
  return now - user.joinedAt >= days * MILLISECONDS_PER_DAY;
}

/** Deactivated accounts and the server's own bots are in no group; other bots are in groups by their role. */
function belongsAnywhere(user: User): boolean {
  return user.isActive && user.bot?.isSystem !== true;
}

/** Whether a person is in the people and groups of a group setting, directly or through subgroups. */
export function includes(snapshot: Snapshot, setting: GroupSetting, user: User): boolean {
  if (!belongsAnywhere(user)) return false;
  const listed: Listed = {
    user,
    isFullMember: hasWaited(snapshot, user),
    lists: (group) => lists(snapshot, group, user),
  };
  const nesting = nestingOf(snapshot);
  if (typeof setting === 'number') return nesting.contains(setting, listed);
  return (
    setting.direct_members.includes(user.id) ||
    setting.direct_subgroups.some((groupId) => nesting.contains(groupId, listed))
  );
}

const nestings = new PerDirectoryState<GroupNesting>();

function nestingOf({ directory }: Snapshot): GroupNesting {
  return nestings.of({ state: directory.groupState }, () => new GroupNesting(directory.groups()));
}

/** Ids of all groups that contain a group, directly or through other groups, and its own. */
export function groupsAround(snapshot: Snapshot, groupId: number): ReadonlySet<number> {
  return nestingOf(snapshot).around(groupId);
}

/**
 * Whether every person and group in a setting exists and is active; the server's own bots cannot be named.
 */
export function isKnownSetting({ directory }: Snapshot, setting: GroupSetting): boolean {
  const groupIds = typeof setting === 'number' ? [setting] : setting.direct_subgroups;
  const memberIds = typeof setting === 'number' ? [] : setting.direct_members;
  return (
    groupIds.every((id) => directory.group(id)?.isDeactivated === false) &&
    memberIds.every((id) => {
      const user = directory.user(id);
      return user !== null && belongsAnywhere(user);
    })
  );
}

/**
 * Ids of the active accounts in a group or a group setting, directly or through subgroups, in rising order.
 */
export function membersOf(snapshot: Snapshot, setting: GroupSetting): number[] {
  const named = typeof setting === 'number' ? [] : setting.direct_members;
  const ids = new Set(activeAmong(snapshot, named));
  for (const group of groupsWithin(snapshot, setting)) {
    for (const id of listedIn(snapshot, group)) ids.add(id);
  }
  return [...ids].sort((a, b) => a - b);
}

/** Ids of the active accounts that a group lists directly, without subgroups, in rising order. */
export function directMembersOf(snapshot: Snapshot, group: UserGroup): number[] {
  return listedIn(snapshot, group).sort((a, b) => a - b);
}

/**
 * Only system groups are computed from all accounts: doing so for all groups would take groups times people.
 */
function listedIn(snapshot: Snapshot, group: UserGroup): number[] {
  if (!group.isSystem) return activeAmong(snapshot, group.memberIds);
  const ids: number[] = [];
  for (const user of snapshot.directory.users()) if (listsDirectly(snapshot, group, user)) ids.push(user.id);
  return ids;
}

/** Those of the accounts that can be in groups, each once. */
function activeAmong({ directory }: Snapshot, userIds: readonly number[]): number[] {
  return [...new Set(userIds)].filter((id) => {
    const user = directory.user(id);
    return user !== null && belongsAnywhere(user);
  });
}

/** Whether a group lists the account directly; deactivated accounts are listed nowhere. */
export function listsDirectly(snapshot: Snapshot, group: UserGroup, user: User): boolean {
  return belongsAnywhere(user) && lists(snapshot, group, user);
}

function lists(snapshot: Snapshot, group: UserGroup, user: User): boolean {
  return group.isSystem
    ? listedInSystemGroup[group.id as SystemGroupId](snapshot, user)
    : includesId(group.memberIds, user.id);
}

/** Maximum number of ids in a list that is searched rather than turned into a set. */
const SHORT_LIST = 50;

const longLists = new WeakMap<readonly number[], ReadonlySet<number>>();

function includesId(ids: readonly number[], id: number): boolean {
  if (ids.length <= SHORT_LIST) return ids.includes(id);
  const known = longLists.get(ids);
  if (known !== undefined) return known.has(id);
  const set = new Set(ids);
  longLists.set(ids, set);
  return set.has(id);
}

/**
 * The groups in a setting with all their subgroups, each once, even if they form cycles; deactivated groups
 * are empty.
 */
export function* groupsWithin({ directory }: Snapshot, setting: GroupSetting): Iterable<UserGroup> {
  const groupIds = new Set<number>(typeof setting === 'number' ? [setting] : setting.direct_subgroups);
  for (const groupId of groupIds) {
    const group = directory.group(groupId);
    if (group === null || group.isDeactivated) continue;
    yield group;
    group.subgroupIds.forEach((subgroupId) => groupIds.add(subgroupId));
  }
}

/** Finds a group by its id, as of some position of the log. */
export type GroupLookup = (groupId: number) => Pick<UserGroup, 'subgroupIds'> | null | undefined;

/** Ids of the groups in a setting and of all their direct and indirect subgroups, deactivated ones included. */
export function groupsWithSubgroups(setting: GroupSetting, groupById: GroupLookup): ReadonlySet<number> {
  const groupIds = new Set<number>(typeof setting === 'number' ? [setting] : setting.direct_subgroups);
  for (const id of groupIds) groupById(id)?.subgroupIds.forEach((subgroupId) => groupIds.add(subgroupId));
  return groupIds;
}

/** The value of a permission, and the groups that it may be given to. */
export interface Permission {
  readonly setting: GroupSetting;
  readonly rule: GroupRule;
}

/**
 * Whether a person has a permission. Where guests cannot have it, being named or being in a group does not give it to
 * a guest: a group may have guests among its members, and people who are named may become guests.
 */
export function isPermitted(snapshot: Snapshot, { setting, rule }: Permission, user: User): boolean {
  if (!rule.allowsEveryone && isGuest(user)) return false;
  return includes(snapshot, setting, user);
}

/** Whether a person has a permission of the organization. */
export function hasPermission(
  snapshot: Snapshot,
  user: User,
  permission: keyof OrganizationPermissions,
): boolean {
  const { organization } = snapshot.directory;
  if (organization === null) return false;
  const setting = organization.permissions[permission];
  return isPermitted(snapshot, { setting, rule: organizationPermissionTable[permission] }, user);
}
