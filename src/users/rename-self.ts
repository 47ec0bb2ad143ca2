import type { Acting } from './decisions.js';
import type { UserEvent } from './events.js';
import { fullNameOf } from './full-name.js';
import { actingUser, type UserDirectory } from './user-directory.js';

/**
 * A person takes another display name (facts, section 2, PATCH /settings).
 *
 * @throws ApplicationError those of {@link fullNameOf}
 */
export function decideRenameSelf(
  state: UserDirectory,
  sent: string,
  { actorId: userId }: Acting,
): readonly UserEvent[] {
  const fullName = fullNameOf(sent);
  if (fullName === actingUser(state, userId).fullName) return [];
  return [{ type: 'UserRenamed', data: { userId, fullName } }];
}
