import type { Acting } from '../decisions.js';
import type { UserEvent } from '../events.js';
import { actingUser, type UserDirectory } from '../user-directory.js';
import { manageableBot } from './update-bot.js';

/**
 * Everyone renews their own keys, and those of the bots that they may change.
 *
 * @throws ApplicationError `noSuchBot`, `insufficientPermission`
 */
export function decideRegenerateApiKey(
  state: UserDirectory,
  { userId }: { readonly userId: number },
  { actorId }: Acting,
): readonly UserEvent[] {
  const account = userId === actorId ? actingUser(state, actorId) : manageableBot(state, userId, { actorId });
  return [{ type: 'ApiKeyRegenerated', data: { userId: account.id } }];
}
