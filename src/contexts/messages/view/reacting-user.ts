import type { Directory } from '../../../access/directory.js';
import { emailFor } from '../../../access/email-visibility.js';
import { UNKNOWN_NAME } from '../../users/users.view.js';

/** Who reacted, in the form that only the oldest clients use. */
interface ReactingUser {
  readonly user_id: number;
  readonly email: string;
  readonly full_name: string;
}

/** The oldest clients need the person who reacted as an object in the reaction, and fail without it. */
export function reactingUser(userId: number, directory: Directory, isKnown: boolean): ReactingUser {
  const user = directory.user(userId);
  return {
    user_id: userId,
    email: user === null ? '' : emailFor(directory, user, isKnown),
    full_name: isKnown ? (user?.fullName ?? '') : UNKNOWN_NAME,
  };
}

/** Whether a client, by the name of its program, needs {@link reactingUser} in the reactions of messages. */
export function needsReactingUsers(client: string): boolean {
  return client === 'ZulipTerminal';
}
