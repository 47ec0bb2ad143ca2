import { mayManageBot } from '../../directory/people-permissions.js';
import { failure } from '../../kernel/errors.js';
import type { Acting } from '../decisions.js';
import type { UserEvent } from '../events.js';
import { fullNameOf } from '../full-name.js';
import { actingUser, changeableUser, type UserDirectory } from '../user-directory.js';
import type { User } from '../user.js';

/** What is to be changed; null: left as it is. */
export interface BotChanges {
  readonly userId: number;
  readonly fullName: string | null;
  readonly ownerId: number | null;
}

/**
 * @throws ApplicationError `noSuchBot`, `insufficientPermission`, `invalidBotOwner`, or those of {@link fullNameOf}
 */
export function decideUpdateBot(
  state: UserDirectory,
  { userId, fullName, ownerId }: BotChanges,
  { actorId }: Acting,
): readonly UserEvent[] {
  const bot = manageableBot(state, userId, { actorId });
  const events: UserEvent[] = [];
  if (fullName !== null && fullNameOf(fullName) !== bot.fullName) {
    events.push({ type: 'UserRenamed', data: { userId, fullName: fullNameOf(fullName) } });
  }
  if (ownerId !== null && ownerId !== bot.bot?.ownerId) {
    const owner = state.users.get(ownerId);
    if (owner?.isActive !== true || owner.bot !== null) throw failure('invalidBotOwner');
    events.push({ type: 'BotOwnerChanged', data: { userId, ownerId } });
  }
  return events;
}

/**
 * @throws ApplicationError `noSuchBot`, `insufficientPermission`, `alreadyDeactivated`
 */
export function decideDeactivateBot(
  state: UserDirectory,
  { userId }: { readonly userId: number },
  { actorId }: Acting,
): readonly UserEvent[] {
  const bot = manageableBot(state, userId, { actorId });
  if (!bot.isActive) throw failure('alreadyDeactivated');
  return [{ type: 'UserDeactivated', data: { userId } }];
}

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
