import type { Directory } from '../../directory/directory.js';
import { apiEmail, deliveryEmail } from '../../directory/email-visibility.js';
import type { User } from '../../users/user.js';
import type { Notice } from '../translation.js';

/** Something of an account is other than it was. */
export function personNotice({ id }: User, fields: object): Notice {
  return { to: 'everyone', event: { type: 'realm_user', op: 'update', person: { user_id: id, ...fields } } };
}

/** Who may see an address is told it, and everyone else that they may not any more. */
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
  ];
}
