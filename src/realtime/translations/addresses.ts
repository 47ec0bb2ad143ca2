import type { Directory } from '../../directory/directory.js';
import { apiEmail, deliveryEmail } from '../../directory/email-visibility.js';
import { avatarSource, mediumAvatarUrl, shownAvatarUrl } from '../../users/avatar.js';
import type { User } from '../../users/user.js';
import type { Notice } from '../translation.js';

/** Something of an account is other than it was. */
export function personNotice({ id }: User, fields: object): Notice {
  return { to: 'everyone', event: { type: 'realm_user', op: 'update', person: { user_id: id, ...fields } } };
}

/** Where the picture of an account is. */
export function avatarFields(user: User, directory: Directory) {
  return {
    avatar_url: shownAvatarUrl(directory, user),
    avatar_url_medium: mediumAvatarUrl(directory, user),
    avatar_source: avatarSource(user),
    avatar_version: user.avatarVersion,
  };
}

/**
 * Who may see an address is told it, and everyone else that they may not any more; and everyone the picture that follows from
 * what they may see, where the account has none of its own.
 */
export function addressNotices(user: User, directory: Directory): readonly Notice[] {
  return [
    personNotice(user, { new_email: apiEmail(directory, user) }),
    {
      to: 'everyone',
      event: ({ user: viewer }) => {
        const person = { user_id: user.id, delivery_email: deliveryEmail(directory, user, viewer) };
        return { type: 'realm_user', op: 'update', person };
      },
    },
    ...(user.avatar === null ? [personNotice(user, avatarFields(user, directory))] : []),
  ];
}
