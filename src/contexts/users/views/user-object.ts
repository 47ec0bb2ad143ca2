import type { Directory } from '../../../access/directory.js';
import { apiEmail, deliveryEmail } from '../../../access/email-visibility.js';
import { avatarUrl } from '../avatar.js';
import { isAdministrator, isGuest, isOwner } from '../../../access/records/roles.js';
import type { User } from '../../../access/records/user.js';
import type { UserObject } from '../users.replies.js';

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
