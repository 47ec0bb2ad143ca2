import { isAdministrator, isGuest, isOwner, isWithinRole } from './records/roles.js';
import type { UserGroup } from './records/user-group.js';
import type { User } from './records/user.js';
import { includes } from './membership.js';
import type { Snapshot } from './snapshot.js';
import { holds } from './organization-permission.js';

/** Types of bots (specification, "User object", `bot_type`). */
export const botTypes = { generic: 1, incomingWebhook: 2, outgoingWebhook: 3, embedded: 4 } as const;

/** Bots that can only write may be made by more people than bots that read. */
export function mayCreateBot(snapshot: Snapshot, user: User, botType: number): boolean {
  if (user.bot !== null || isGuest(user)) return false;
  if (holds(snapshot, user, 'can_create_bots_group')) return true;
  return botType === botTypes.incomingWebhook && holds(snapshot, user, 'can_create_write_only_bots_group');
}

/** A bot is shown to its owner and to administrators; the server's own bots are in nobody's list. */
export function maySeeBot(user: User, { bot }: User): boolean {
  if (bot === null || bot.isSystem) return false;
  return bot.ownerId === user.id || isAdministrator(user);
}

/**
 * Who is shown a bot may change it and read its key, unless its role is above their own: with the key of an owner's bot an
 * administrator would be an owner.
 */
export function mayManageBot(user: User, bot: User): boolean {
  return maySeeBot(user, bot) && isWithinRole(user, bot.role);
}

/** A bot acts with its owner's access to channels: only who administers bots gives one to somebody else. */
export function mayHandOverBot(user: User): boolean {
  return isAdministrator(user);
}

/** Administrators bring anyone back; who may make bots such as theirs brings back their own. Never a bot of a higher role. */
export function mayReactivate(snapshot: Snapshot, actor: User, user: User): boolean {
  const { bot } = user;
  if (bot !== null && !mayManageBot(actor, user)) return false;
  return isAdministrator(actor) || (bot !== null && mayCreateBot(snapshot, actor, bot.type));
}

/** The addresses of others are changed by owners who hold the permission (specification, "Update a user", `new_email`). */
export function mayChangeEmails(snapshot: Snapshot, user: User): boolean {
  return isOwner(user) && holds(snapshot, user, 'can_change_user_emails_group');
}

/** Whom the organization lets add emoji of its own. */
export function mayAddCustomEmoji(snapshot: Snapshot, user: User): boolean {
  return holds(snapshot, user, 'can_add_custom_emoji_group');
}

/** Reading the log, with every message in it; guests and bots never do. */
export function mayAudit(snapshot: Snapshot, user: User): boolean {
  return user.bot === null && !isGuest(user) && holds(snapshot, user, 'can_audit_group');
}

/** Inviting people, each by an e-mail or anyone by a link; guests and bots invite nobody. */
export function mayInvite(
  snapshot: Snapshot,
  user: User,
  permission: 'can_invite_users_group' | 'create_multiuse_invite_group',
): boolean {
  return user.bot === null && !isGuest(user) && holds(snapshot, user, permission);
}

/** Whom the organization lets create user groups; never a guest. */
export function mayCreateGroups(snapshot: Snapshot, user: User): boolean {
  return !isGuest(user) && holds(snapshot, user, 'can_create_groups');
}

/** Those who manage all groups, and those whom the group names; system groups are nobody's to manage. */
export function mayManageGroup(snapshot: Snapshot, user: User, group: UserGroup): boolean {
  if (group.isSystem || isGuest(user)) return false;
  return (
    holds(snapshot, user, 'can_manage_all_groups') ||
    includes(snapshot, group.permissions.can_manage_group, user)
  );
}

/** Who manages a group, or is named by it, adds others to it. */
export function mayAddGroupMembers(snapshot: Snapshot, user: User, group: UserGroup): boolean {
  return (
    mayManageGroup(snapshot, user, group) || includes(snapshot, group.permissions.can_add_members_group, user)
  );
}

/** Who manages a group, or is named by it, removes others from it. */
export function mayRemoveGroupMembers(snapshot: Snapshot, user: User, group: UserGroup): boolean {
  return (
    mayManageGroup(snapshot, user, group) ||
    includes(snapshot, group.permissions.can_remove_members_group, user)
  );
}

/** Who may add anybody, or is named by the group, joins it. */
export function mayJoinGroup(snapshot: Snapshot, user: User, group: UserGroup): boolean {
  return (
    mayAddGroupMembers(snapshot, user, group) || includes(snapshot, group.permissions.can_join_group, user)
  );
}

/** Who may remove anybody, or is named by the group, leaves it. */
export function mayLeaveGroup(snapshot: Snapshot, user: User, group: UserGroup): boolean {
  return (
    mayRemoveGroupMembers(snapshot, user, group) ||
    includes(snapshot, group.permissions.can_leave_group, user)
  );
}

/** Also asked of system groups, which nobody may mention unless their own setting says so. */
export function mayMentionGroup(snapshot: Snapshot, user: User, group: UserGroup): boolean {
  return (
    !group.isSystem && !group.isDeactivated && includes(snapshot, group.permissions.can_mention_group, user)
  );
}

/** Administrators may have an export of what everybody may read, or lets them read (specification, POST /export/realm). */
export function mayExportOrganization(user: User): boolean {
  return isAdministrator(user);
}

/** Exporting everything, without anybody's consent: for owners, and only where the organization allows it. */
export function mayExportEverything({ directory }: Snapshot, user: User): boolean {
  return isOwner(user) && directory.organization?.settings.owner_full_content_access === true;
}
