import { mayManageBot } from '../../access/people-permissions.js';
import type { Role, UserEvent } from '../../events/users.js';
import { isWithinRole } from '../../access/records/roles.js';
import type { UserDirectory } from './users.state.js';
import type { User } from '../../access/records/user.js';

/** New keys for bots, because people who know the old ones may not any more. */
export function keysRenewed(botIds: Iterable<number>): readonly UserEvent[] {
  return [...new Set(botIds)].map((userId) => ({ type: 'ApiKeyRegenerated', data: { userId } }));
}

/**
 * The bots whose keys are known to somebody who may not know them after an account's role changes:
 * - a bot that gets a role above an account which could read its key until now;
 * - the bots above the new role of an account which could read their keys until now.
 */
export function botsToRenew(state: UserDirectory, account: User, role: Role): readonly number[] {
  const mayLearn = (user: User): boolean =>
    user.id !== account.id && mayManageBot(user, account) && !isWithinRole(user, role);
  const isKnown = account.isActive && [...state.users.values()].some(mayLearn);
  return [...(isKnown ? [account.id] : []), ...botsAbove(state, account, role)];
}

/** The active bots that an account may manage and whose role is above the account's new one. */
export function botsAbove({ users }: UserDirectory, account: User, role: Role): readonly number[] {
  const after = { ...account, role };
  return [...users.values()]
    .filter((bot) => bot.isActive && bot.id !== account.id)
    .filter((bot) => mayManageBot(account, bot) && !isWithinRole(after, bot.role))
    .map(({ id }) => id);
}
