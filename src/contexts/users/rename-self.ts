import type { ActingAt } from './decisions.js';
import type { UserEvent } from '../../events/users.js';
import { decideNewName } from './identity-changes.js';
import { isAdministrator } from '../../access/records/roles.js';
import { actingUser, type UserDirectory } from './user-directory.js';

/**
 * A person takes another display name. Where only administrators change names, the request of anybody else passes without effect
 * (facts, section 2, PATCH /settings).
 *
 * @throws ApplicationError those of {@link decideNewName}
 */
export function decideRenameSelf(
  state: UserDirectory,
  sent: string,
  { actorId, moment }: ActingAt,
): readonly UserEvent[] {
  const user = actingUser(state, actorId);
  const isDisabled = moment.directory.organization?.settings.name_changes_disabled === true;
  return isDisabled && !isAdministrator(user) ? [] : decideNewName(state, { user, sent, moment });
}
