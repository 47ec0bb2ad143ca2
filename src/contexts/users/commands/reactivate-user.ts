import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { mayReactivate } from '../../../access/people-permissions.js';
import type { Caller } from '../../../http/caller.js';
import { failure } from '../../../kernel/errors.js';
import type { ActingAt } from '../decisions.js';
import type { UserEvent } from '../../../events/users.js';
import { KeyRenewals } from '../key-renewals.js';
import { keysRenewed } from '../known-keys.js';
import { isAdministrator, isOwner } from '../../../access/records/roles.js';
import { assertBotNameIsFree } from '../unique-names.js';
import { actingUser, changeableUser, type UserDirectory } from '../user-directory.js';

/** Brings a deactivated person or bot back. */
export class ReactivateUser extends Command<void> {
  constructor(
    readonly caller: Caller,
    readonly userId: number,
  ) {
    super();
  }
}

/**
 * Administrators reactivate people and bots, and people their own bots; that an owner comes back is for owners to say. A bot whose
 * owner is gone falls to whoever brings it back. A bot comes back with a new key; people log in for one. An active account
 * stays as it is.
 *
 * @throws ApplicationError `noSuchUser`, `insufficientPermission`, `ownerRequired`, `botNameTaken`
 */
export function decideReactivateUser(
  state: UserDirectory,
  { userId }: { readonly userId: number },
  { actorId, moment }: ActingAt,
): readonly UserEvent[] {
  const user = changeableUser(state, userId);
  const actor = actingUser(state, actorId);
  if (isAdministrator(actor) && isOwner(user) && !isOwner(actor)) throw failure('ownerRequired');
  if (!mayReactivate(moment, actor, user)) throw failure('insufficientPermission');
  if (user.isActive) return [];
  if (user.bot !== null) assertBotNameIsFree(state, user.fullName, userId);
  const events: UserEvent[] = [{ type: 'UserReactivated', data: { userId } }];
  const ownerId = user.bot?.ownerId ?? null;
  if (ownerId !== null && state.users.get(ownerId)?.isActive !== true) {
    events.push({ type: 'BotOwnerChanged', data: { userId, ownerId: actorId } });
  }
  return user.bot === null ? events : [...events, ...keysRenewed([userId])];
}

@CommandHandler(ReactivateUser)
export class ReactivateUserHandler implements ICommandHandler<ReactivateUser> {
  constructor(private readonly renewals: KeyRenewals) {}

  /** Keys that a deactivation left, when it was cut off, are revoked first: they would come alive again. */
  async execute({ caller, userId }: ReactivateUser): Promise<void> {
    await this.renewals.decide(caller, (state, by) => decideReactivateUser(state, { userId }, by));
  }
}
