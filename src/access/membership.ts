import { systemGroupIds } from '../events/values/organization-defaults.js';
import type { GroupSetting } from '../events/values/group-setting.js';
import { roles } from './records/roles.js';
import type { UserGroup } from './records/user-group.js';
import type { User } from './records/user.js';
import type { Snapshot } from './snapshot.js';

const MILLISECONDS_PER_DAY = 86_400_000;

type SystemGroupId = (typeof systemGroupIds)[keyof typeof systemGroupIds];

/**
 * Whom each system group lists itself; the groups of higher roles are within it as subgroups. A full member is listed
 * twice, as clients expect it.
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

/** Deactivated accounts and the server's own bots belong to no group; other bots count by their role. */
function belongsAnywhere(user: User): boolean {
  return user.isActive && user.bot?.isSystem !== true;
}

/**
 * Whether the person is among those whom a group-setting value names, directly or through subgroups (specification,
 * "What the service does", 8).
 */
export function includes(snapshot: Snapshot, setting: GroupSetting, user: User): boolean {
  if (!belongsAnywhere(user)) return false;
  if (typeof setting !== 'number' && setting.direct_members.includes(user.id)) return true;
  for (const group of groupsWithin(snapshot, setting)) {
    if (lists(snapshot, group, user)) return true;
  }
  return false;
}

/** Whether every person and group that a setting names exists and is active; the server's own bots are nobody to name. */
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

/** Ids of the active accounts that a group or a group-setting value names, directly or through subgroups, rising. */
export function membersOf(snapshot: Snapshot, setting: GroupSetting): number[] {
  const named = typeof setting === 'number' ? [] : setting.direct_members;
  const ids = new Set(activeAmong(snapshot, named));
  for (const group of groupsWithin(snapshot, setting)) {
    for (const id of listedIn(snapshot, group)) ids.add(id);
  }
  return [...ids].sort((a, b) => a - b);
}

/** Ids of the active accounts that the group itself lists, without those of its subgroups, rising. */
export function directMembersOf(snapshot: Snapshot, group: UserGroup): number[] {
  return listedIn(snapshot, group).sort((a, b) => a - b);
}

/** Only for system groups everyone is looked at: a list of all groups would otherwise take groups times people. */
function listedIn(snapshot: Snapshot, group: UserGroup): number[] {
  if (!group.isSystem) return activeAmong(snapshot, group.memberIds);
  const ids: number[] = [];
  for (const user of snapshot.directory.users()) if (listsDirectly(snapshot, group, user)) ids.push(user.id);
  return ids;
}

/** Those of the accounts that belong to groups at all, each once. */
function activeAmong({ directory }: Snapshot, userIds: readonly number[]): number[] {
  return [...new Set(userIds)].filter((id) => {
    const user = directory.user(id);
    return user !== null && belongsAnywhere(user);
  });
}

/** Whether a group itself lists the account; deactivated ones are listed nowhere. */
export function listsDirectly(snapshot: Snapshot, group: UserGroup, user: User): boolean {
  return belongsAnywhere(user) && lists(snapshot, group, user);
}

function lists(snapshot: Snapshot, group: UserGroup, user: User): boolean {
  return group.isSystem
    ? listedInSystemGroup[group.id as SystemGroupId](snapshot, user)
    : group.memberIds.includes(user.id);
}

/** The groups that a setting names and all within them, each once, whatever cycles there are; deactivated ones are empty. */
export function* groupsWithin({ directory }: Snapshot, setting: GroupSetting): Iterable<UserGroup> {
  const groupIds = new Set<number>(typeof setting === 'number' ? [setting] : setting.direct_subgroups);
  for (const groupId of groupIds) {
    const group = directory.group(groupId);
    if (group === null || group.isDeactivated) continue;
    yield group;
    group.subgroupIds.forEach((subgroupId) => groupIds.add(subgroupId));
  }
}
