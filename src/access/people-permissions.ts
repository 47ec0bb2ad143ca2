import { isAdministrator, isGuest, isOwner, isWithinRole } from './records/roles.js';
import type { UserGroup } from './records/user-group.js';
import type { User } from './records/user.js';
import type { Actor } from './actor.js';
import { groupsWithSubgroups, hasPermission, isPermitted, type GroupLookup } from './membership.js';
import { groupPermission } from './group-permission-values.js';
import type { Snapshot } from './snapshot.js';
import type { UserGroupPermissions } from '../events/user-groups.js';

/** Types of bots (`bot_type` in the API). */
export const botTypes = { generic: 1, incomingWebhook: 2, outgoingWebhook: 3, embedded: 4 } as const;

/** Bots that can only write may be created by more people than bots that also read. */
export function mayCreateBot(snapshot: Snapshot, user: User, botType: number): boolean {
  if (user.bot !== null || isGuest(user)) return false;
  if (hasPermission(snapshot, user, 'can_create_bots_group')) return true;
  return (
    botType === botTypes.incomingWebhook && hasPermission(snapshot, user, 'can_create_write_only_bots_group')
  );
}

/** Bots are visible to their owner and to administrators; the server's own bots are in no list. */
export function maySeeBot(user: User, { bot }: User): boolean {
  if (bot === null || bot.isSystem) return false;
  return bot.ownerId === user.id || isAdministrator(user);
}

/**
 * People who see a bot may change it and read its key, unless its role is higher than theirs: with the key of
 * an owner's bot, an administrator could act as an owner.
 */
export function mayManageBot(user: User, bot: User): boolean {
  return maySeeBot(user, bot) && isWithinRole(user, bot.role);
}

/**
 * A bot has its owner's access to channels, so only people who administer bots may give one to somebody else.
 */
export function mayHandOverBot(user: User): boolean {
  return isAdministrator(user);
}

/**
 * Administrators may reactivate anyone; people who may create such bots may reactivate their own. Nobody may
 * reactivate a bot with a higher role.
 */
export function mayReactivate(snapshot: Snapshot, actor: User, user: User): boolean {
  const { bot } = user;
  if (bot !== null && !mayManageBot(actor, user)) return false;
  return isAdministrator(actor) || (bot !== null && mayCreateBot(snapshot, actor, bot.type));
}

/**
 * Whether the person may change addresses of others: owners who have the permission (`new_email` in the API).
 */
export function mayChangeEmails(snapshot: Snapshot, user: User): boolean {
  return isOwner(user) && hasPermission(snapshot, user, 'can_change_user_emails_group');
}

/** Whether the organization lets the person add custom emoji. */
export function mayAddCustomEmoji(snapshot: Snapshot, user: User): boolean {
  return hasPermission(snapshot, user, 'can_add_custom_emoji_group');
}

/** Whether the person may read the log with every message in it; guests and bots never. */
export function mayAudit(snapshot: Snapshot, user: User): boolean {
  return user.bot === null && !isGuest(user) && hasPermission(snapshot, user, 'can_audit_group');
}

/** Whether the person may invite people, by e-mail or by a link for anyone; guests and bots never. */
export function mayInvite(
  snapshot: Snapshot,
  user: User,
  permission: 'can_invite_users_group' | 'create_multiuse_invite_group',
): boolean {
  return user.bot === null && !isGuest(user) && hasPermission(snapshot, user, permission);
}

/** Whether the organization lets the person create user groups; guests never. */
export function mayCreateGroups(snapshot: Snapshot, user: User): boolean {
  return !isGuest(user) && hasPermission(snapshot, user, 'can_create_groups');
}

/**
 * People who may manage all groups, and those in the group's own permission; nobody may manage system groups.
 */
export function mayManageGroup(snapshot: Snapshot, user: User, group: UserGroup): boolean {
  if (group.isSystem || isGuest(user)) return false;
  return (
    hasPermission(snapshot, user, 'can_manage_all_groups') ||
    isPermitted(snapshot, groupPermission(group, 'can_manage_group'), user)
  );
}

/**
 * Whether membership in the group may make people auditors: `can_audit_group` names it, or a group that has it as a
 * direct or indirect subgroup. Groups that are deactivated count too: they may be reactivated.
 *
 * @param groupById finds the subgroups; absent: those of the snapshot
 */
export function isAuditingGroup(
  { directory }: Snapshot,
  groupId: number,
  groupById: GroupLookup = (id) => directory.group(id),
): boolean {
  const setting = directory.organization?.permissions.can_audit_group;
  return setting !== undefined && groupsWithSubgroups(setting, groupById).has(groupId);
}

/**
 * Whether a person may do what can make more people auditors by way of a group: only owners, if it is an auditing group.
 *
 * @param groupById see {@link isAuditingGroup}
 */
export function mayLetIntoGroup(
  { user, snapshot }: Actor,
  group: UserGroup,
  groupById?: GroupLookup,
): boolean {
  return isOwner(user) || !isAuditingGroup(snapshot, group.id, groupById);
}

/** Decides about a person and a user group. */
type GroupDecider = (snapshot: Snapshot, user: User, group: UserGroup) => boolean;

/** People to whom another permission gives this one, and those in the group's own permission. */
function impliedBy(other: GroupDecider, name: keyof UserGroupPermissions): GroupDecider {
  return (snapshot, user, group) =>
    other(snapshot, user, group) || isPermitted(snapshot, groupPermission(group, name), user);
}

/** A permission that only owners have in a group that makes people auditors. */
function unlessAuditing(decider: GroupDecider): GroupDecider {
  return (snapshot, user, group) =>
    decider(snapshot, user, group) && mayLetIntoGroup({ user, snapshot }, group);
}

/** People who may manage the group, and those in its own permission; of these only owners, if it is an auditing group. */
export const mayAddGroupMembers = unlessAuditing(impliedBy(mayManageGroup, 'can_add_members_group'));

/** People who may manage the group, and those in its own permission. */
export const mayRemoveGroupMembers = impliedBy(mayManageGroup, 'can_remove_members_group');

/** People who may add anybody, and those in the group's own permission; of these only owners, if it is an auditing group. */
export const mayJoinGroup = unlessAuditing(impliedBy(mayAddGroupMembers, 'can_join_group'));

/** People who may remove anybody, and those in the group's own permission. */
export const mayLeaveGroup = impliedBy(mayRemoveGroupMembers, 'can_leave_group');

/** Also applies to system groups, which nobody may mention unless their setting allows it. */
export function mayMentionGroup(snapshot: Snapshot, user: User, group: UserGroup): boolean {
  return (
    !group.isSystem &&
    !group.isDeactivated &&
    isPermitted(snapshot, groupPermission(group, 'can_mention_group'), user)
  );
}

/** Administrators may export what everybody may read, and what people consented to. */
export function mayExportOrganization(user: User): boolean {
  return isAdministrator(user);
}

/** Owners may export everything without anybody's consent, if the organization allows it. */
export function mayExportEverything({ directory }: Snapshot, user: User): boolean {
  return isOwner(user) && directory.organization?.settings.owner_full_content_access === true;
}
