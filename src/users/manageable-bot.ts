import { mayManageBot } from '../directory/people-permissions.js';
import { failure } from '../kernel/errors.js';
import type { Acting } from './decisions.js';
import { actingUser, changeableUser, type UserDirectory } from './user-directory.js';
import type { User } from './user.js';

/**
 * The bot, if it is the actor's to change.
 *
 * @throws ApplicationError `noSuchBot`, `insufficientPermission`
 */
export function manageableBot(state: UserDirectory, botId: number, { actorId }: Acting): User {
  const user = changeableUser(state, botId);
  if (user.bot === null) throw failure('noSuchBot');
  if (!mayManageBot(actingUser(state, actorId), user)) throw failure('insufficientPermission');
  return user;
}
