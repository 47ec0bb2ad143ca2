import type { Directory } from '../../../access/directory.js';
import { apiEmail, deliveryEmail } from '../../../access/email-visibility.js';
import { avatarSource, mediumAvatarUrl, shownAvatarUrl } from '../avatar.js';
import type { User } from '../../../access/records/user.js';
import type { AddressedEvent } from '../../../realtime/mapper.js';

/** Something of an account is other than it was. */
export function personEvent({ id }: User, fields: object): AddressedEvent {
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
export function addressEvents(user: User, directory: Directory): readonly AddressedEvent[] {
  return [
    personEvent(user, { new_email: apiEmail(directory, user) }),
    {
      to: 'everyone',
      event: ({ user: viewer }) => {
        const person = { user_id: user.id, delivery_email: deliveryEmail(directory, user, viewer) };
        return { type: 'realm_user', op: 'update', person };
      },
    },
    ...(user.avatar === null ? [personEvent(user, avatarFields(user, directory))] : []),
  ];
}
