import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { mayReactivate } from '../../directory/people-permissions.js';
import type { Caller } from '../../http/caller.js';
import { failure } from '../../kernel/errors.js';
import { Accounts } from '../accounts.js';
import { Credentials } from '../credentials.js';
import type { ActingAt } from '../decisions.js';
import type { UserEvent } from '../events.js';
import { isOwner } from '../roles.js';
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
 * owner is gone falls to whoever brings it back. An active account stays as it is.
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
  if (!mayReactivate(moment, actor, user)) throw failure('insufficientPermission');
  if (isOwner(user) && !isOwner(actor)) throw failure('ownerRequired');
  if (user.isActive) return [];
  if (user.bot !== null) assertBotNameIsFree(state, user.fullName, userId);
  const events: UserEvent[] = [{ type: 'UserReactivated', data: { userId } }];
  const ownerId = user.bot?.ownerId ?? null;
  if (ownerId !== null && state.users.get(ownerId)?.isActive !== true) {
    events.push({ type: 'BotOwnerChanged', data: { userId, ownerId: actorId } });
  }
  return events;
}

@CommandHandler(ReactivateUser)
export class ReactivateUserHandler implements ICommandHandler<ReactivateUser> {
  constructor(
    private readonly accounts: Accounts,
    private readonly credentials: Credentials,
  ) {}

  async execute({ caller, userId }: ReactivateUser): Promise<void> {
    const decide = (state: UserDirectory, by: ActingAt): readonly UserEvent[] =>
      decideReactivateUser(state, { userId }, by);
    const by = { actorId: caller.userId, moment: this.accounts.moment() };
    const returns = decide(await this.accounts.all(), by).length > 0;
    // Were a deactivation cut off before it revoked the keys, they would come alive again.
    if (returns) await this.credentials.revokeKeys([userId]);
    await this.accounts.decide(caller, decide);
  }
}
