import type { Actor } from '../../access/actor.js';
import type { UserEvent } from '../../events/users.js';
import { manageableBot } from './bots.decide.js';
import { activeActor, type UserDirectory } from './users.state.js';

/**
 * People may renew their own keys, and those of the bots that they may change.
 *
 * @throws ApplicationError `noSuchBot`, `insufficientPermission`
 */
export function decideRegenerateApiKey(
  state: UserDirectory,
  { userId }: { readonly userId: number },
  { user: { id: actorId } }: Pick<Actor, 'user'>,
): readonly UserEvent[] {
  const account = userId === actorId ? activeActor(state, actorId) : manageableBot(state, userId, actorId);
  return [{ type: 'ApiKeyRegenerated', data: { userId: account.id } }];
}

/** People may revoke only their own keys. */
export function decideRevokeApiKey(
  state: UserDirectory,
  { client }: { readonly client: string | null },
  { user: { id: actorId } }: Pick<Actor, 'user'>,
): readonly UserEvent[] {
  return [{ type: 'ApiKeyRevoked', data: { userId: activeActor(state, actorId).id, client } }];
}

/** A person whose account somebody else created joins with their first log-in. */
export function decideFirstLogin(
  state: UserDirectory,
  { user: { id: actorId } }: Pick<Actor, 'user'>,
): readonly UserEvent[] {
  const { awaitsFirstLogin } = activeActor(state, actorId);
  return awaitsFirstLogin ? [{ type: 'UserFirstLoggedIn', data: { userId: actorId } }] : [];
}

/** A person changes their password. Live keys stay valid: each client that is logged in keeps its own. */
export function decideChangePassword(
  state: UserDirectory,
  { user: { id: actorId } }: Pick<Actor, 'user'>,
): readonly UserEvent[] {
  return [{ type: 'UserPasswordChanged', data: { userId: activeActor(state, actorId).id } }];
}
