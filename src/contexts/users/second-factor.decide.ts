import type { Actor } from '../../access/actor.js';
import { isOwner } from '../../access/records/roles.js';
import type { SecondFactorEvent } from '../../events/second-factor.js';
import { failure } from '../../kernel/errors.js';
import { activeActor, changeableUser, type UserDirectory } from './users.state.js';

/** The owner of a second factor, and whether they have one. */
interface FactorOwner {
  readonly userId: number;
  readonly isEnabled: boolean;
}

/**
 * Owners may remove the second factors of others; not their own, because a stolen key of an owner must not
 * suffice for that.
 *
 * @throws ApplicationError `ownerRequired`, `noSuchUser` (also for a bot), `ownSecondFactor`,
 * `noSecondFactor`
 */
export function decideResetSecondFactor(
  state: UserDirectory,
  { userId, isEnabled }: FactorOwner,
  { user: { id: actorId } }: Pick<Actor, 'user'>,
): SecondFactorEvent {
  if (!isOwner(activeActor(state, actorId))) throw failure('ownerRequired');
  if (changeableUser(state, userId).bot !== null) throw failure('noSuchUser');
  if (userId === actorId) throw failure('ownSecondFactor');
  if (!isEnabled) throw failure('noSecondFactor');
  return { type: 'SecondFactorRevoked', data: { userId } };
}

/** A person enables the second factor that they began. */
export function decideEnableSecondFactor(userId: number): SecondFactorEvent {
  return { type: 'SecondFactorEnabled', data: { userId } };
}

/** A person removes their second factor. */
export function decideDisableSecondFactor(userId: number): SecondFactorEvent {
  return { type: 'SecondFactorDisabled', data: { userId } };
}

/** @param left number of unused recovery codes */
export function decideUseRecoveryCode(userId: number, left: number): SecondFactorEvent {
  return { type: 'RecoveryCodeUsed', data: { userId, left } };
}
