import { hiddenEmail } from '../../../access/email-visibility.js';
import { roles } from '../../../access/records/roles.js';
import { unknownUserAvatar } from '../../../http/static-images.js';
import type { UserObject } from '../users.replies.js';
import type { UserFormat } from './user-object.js';

/** What is said of whoever sends a message, in it and in notifications of it. */
export interface ShownSender {
  readonly fullName: string;
  readonly email: string;
  readonly avatarUrl: string;
}

/** What clients call people of whom their own person does not know. */
export const unknownName = 'Unknown user';

/** Whom a person does not know, as the sender of a message that they read. */
export function unknownSender(userId: number): ShownSender {
  return { fullName: unknownName, email: hiddenEmail(userId), avatarUrl: unknownUserAvatar };
}

/** Whom a person does not know, in the words of the API: the same of everybody but for the id. */
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
