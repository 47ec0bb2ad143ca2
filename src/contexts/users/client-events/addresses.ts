import type { Directory } from '../../../access/directory.js';
import { apiEmail, deliveryEmail } from '../../../access/email-visibility.js';
import { avatarSource, mediumAvatarUrl, shownAvatarUrl } from '../avatar.js';
import type { User } from '../../../access/records/user.js';
import type { AddressedEvent } from '../../../realtime/mapper.js';

/** A client event with changed fields of an account. */
export function personEvent({ id }: User, fields: object): AddressedEvent {
  return { to: 'everyone', event: { type: 'realm_user', op: 'update', person: { user_id: id, ...fields } } };
}

/** Fields with the URLs of an account's picture. */
export function avatarFields(user: User, directory: Directory) {
  return {
    avatar_url: shownAvatarUrl(directory, user),
    avatar_url_medium: mediumAvatarUrl(directory, user),
    avatar_source: avatarSource(user),
    avatar_version: user.avatarVersion,
  };
}

/**
 * Sends an address to those who may see it, and its removal to everyone else; and, if the account has no
 * picture of its own, the picture that derives from the visible address to everyone.
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
