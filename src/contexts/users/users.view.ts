import type { Directory } from '../../access/directory.js';
import { apiEmail, deliveryEmail, hiddenEmail } from '../../access/email-visibility.js';
import { shownPermissions } from '../../access/permission-value.js';
import { directMembersOf } from '../../access/membership.js';
import { isAdministrator, isGuest, isOwner, roles } from '../../access/records/roles.js';
import type { UserGroup } from '../../access/records/user-group.js';
import type { User } from '../../access/records/user.js';
import type { Snapshot } from '../../access/snapshot.js';
import { UNKNOWN_USER_AVATAR } from '../../http/static-images.js';
import { toSeconds } from '../../kernel/clock.js';
import { avatarUrl } from './avatar.js';
import type { GroupObject, UserObject } from './users.replies.js';

/** How accounts are formatted. */
export interface UserFormat {
  /** Omit avatar URLs that the client can compute from the e-mail address. */
  readonly clientGravatar: boolean;
  readonly includeProfile: boolean;
}

/** The viewer of an account, and the format. */
export interface UserView extends UserFormat {
  readonly viewer: User;
  readonly directory: Directory;
}

/** Formats an account for the API, as the viewer may see it. */
export function userObject(user: User, view: UserView): UserObject {
  const { directory, viewer, clientGravatar, includeProfile } = view;
  const { bot } = user;
  return {
    email: apiEmail(directory, user),
    user_id: user.id,
    avatar_version: user.avatarVersion,
    is_admin: isAdministrator(user),
    is_owner: isOwner(user),
    is_guest: isGuest(user),
    role: user.role,
    is_bot: bot !== null,
    full_name: user.fullName,
    timezone: directory.settings.value(user.id, 'timezone'),
    is_active: user.isActive,
    date_joined: joiningTime(user.joinedAt),
    delivery_email: deliveryEmail(directory, user, viewer),
    avatar_url: avatarUrl(directory, user, clientGravatar),
    is_imported_stub: false,
    ...(user.isErased === true || user.isDeleted === true ? { is_deleted: true } : {}),
    bot_type: bot?.type ?? null,
    bot_owner_id: bot?.ownerId ?? null,
    ...(bot?.isSystem === true ? { is_system_bot: true } : {}),
    ...(includeProfile && bot === null ? { profile_data: directory.profiles.objectOf(user) } : {}),
  };
}

/** To the minute, as `2026-11-21T15:43+00:00`. */
export function joiningTime(milliseconds: number): string {
  return `${new Date(milliseconds).toISOString().slice(0, 16)}+00:00`;
}

/** The sender of a message as it and its notifications show them. */
export interface ShownSender {
  readonly fullName: string;
  readonly email: string;
  readonly avatarUrl: string;
}

/** The name that clients show for people whom the viewer may not know. */
export const UNKNOWN_NAME = 'Unknown user';

/** The sender of a message whom the viewer may not know. */
export function unknownSender(userId: number): ShownSender {
  return { fullName: UNKNOWN_NAME, email: hiddenEmail(userId), avatarUrl: UNKNOWN_USER_AVATAR };
}

/** A person whom the viewer may not know, formatted for the API: the same for all but the id. */
export function unknownUserObject(
  userId: number,
  { includeProfile }: Pick<UserFormat, 'includeProfile'>,
): UserObject {
  const { fullName, email, avatarUrl } = unknownSender(userId);
  return {
    email,
    user_id: userId,
    avatar_version: 1,
    is_admin: false,
    is_owner: false,
    is_guest: false,
    role: roles.member,
    is_bot: false,
    full_name: fullName,
    timezone: '',
    is_active: true,
    date_joined: '1970-01-01T00:00:00+00:00',
    delivery_email: null,
    avatar_url: avatarUrl,
    is_imported_stub: false,
    bot_type: null,
    bot_owner_id: null,
    ...(includeProfile ? { profile_data: {} } : {}),
  };
}

/** Formats a user group for the API. */
export function groupObject(snapshot: Snapshot, group: UserGroup): GroupObject {
  return {
    id: group.id,
    name: group.name,
    creator_id: group.isSystem ? null : group.creatorId,
    date_created: group.isSystem ? null : toSeconds(group.createdAt),
    description: group.description,
    members: directMembersOf(snapshot, group),
    direct_subgroup_ids: group.subgroupIds,
    is_system_group: group.isSystem,
    ...shownPermissions(snapshot.directory, group.permissions),
    deactivated: group.isDeactivated,
  };
}
