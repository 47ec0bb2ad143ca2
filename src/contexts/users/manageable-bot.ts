import { mayManageBot, maySeeBot } from '../../access/people-permissions.js';
import { failure } from '../../kernel/errors.js';
import type { Acting } from './decisions.js';
import { isAdministrator } from '../../access/records/roles.js';
import { actingUser, changeableUser, type UserDirectory } from './user-directory.js';
import type { User } from '../../access/records/user.js';

/**
 * The bot, if it is the actor's to change.
 *
 * @throws ApplicationError `noSuchBot`, `insufficientPermission`, `ownerRequired` for an owner's bot
 */
export function manageableBot(state: UserDirectory, botId: number, { actorId }: Acting): User {
  const user = changeableUser(state, botId);
  if (user.bot === null) throw failure('noSuchBot');
  const actor = actingUser(state, actorId);
  if (!mayManageBot(actor, user)) {
    const lacksOwnership = maySeeBot(actor, user) && isAdministrator(actor);
    throw failure(lacksOwnership ? 'ownerRequired' : 'insufficientPermission');
  }
  return user;
}
