import { hiddenEmail } from '../../../access/email-visibility.js';
import { roles } from '../../../access/records/roles.js';
import { unknownUserAvatar } from '../../../http/static-images.js';
import type { UserObject } from '../users.replies.js';
import type { UserFormat } from './user-object.js';

/** The sender of a message as it and its notifications show them. */
export interface ShownSender {
  readonly fullName: string;
  readonly email: string;
  readonly avatarUrl: string;
}

/** The name that clients show for people whom the viewer may not know. */
export const unknownName = 'Unknown user';

/** The sender of a message whom the viewer may not know. */
export function unknownSender(userId: number): ShownSender {
  return { fullName: unknownName, email: hiddenEmail(userId), avatarUrl: unknownUserAvatar };
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
