import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Caller } from '../../http/caller.js';
import { failure } from '../../kernel/errors.js';
import { Accounts } from '../accounts.js';
import { Credentials } from '../credentials.js';
import type { Acting } from '../decisions.js';
import type { UserEvent } from '../events.js';
import { isAdministrator, isOwner } from '../roles.js';
import {
  activeBotsOf,
  actingUser,
  changeableUser,
  isLastOwner,
  type UserDirectory,
} from '../user-directory.js';
import type { User } from '../user.js';

/** Takes a person out of the organization, with the bots that are theirs, and revokes every key of them. */
export class DeactivateUser extends Command<void> {
  constructor(
    readonly caller: Caller,
    readonly userId: number,
  ) {
    super();
  }
}

/**
 * Administrators deactivate people, owners also owners, everyone themselves; the bots of a person go with them.
 *
 * @throws ApplicationError `noSuchUser` (a bot is no user here), `insufficientPermission`, `alreadyDeactivated`,
 * `ownerRequired`, `cannotDeactivateLastUser`
 */
export function decideDeactivateUser(
  state: UserDirectory,
  { userId }: { readonly userId: number },
  { actorId }: Acting,
): readonly UserEvent[] {
  const actor = actingUser(state, actorId);
  const user = changeableUser(state, userId);
  const isSelf = userId === actorId;
  if (user.bot !== null && !isSelf) throw failure('noSuchUser');
  if (!isSelf && !isAdministrator(actor)) throw failure('insufficientPermission');
  if (!user.isActive) throw failure('alreadyDeactivated');
  if (isOwner(user) && !isOwner(actor)) throw failure('ownerRequired');
  if (isLastOwner(state, user)) {
    throw failure('cannotDeactivateLastUser', { is_last_owner: true, entity: 'organization owner' });
  }
  return [user, ...activeBotsOf(state, userId)].map(deactivated);
}

function deactivated({ id: userId }: User): UserEvent {
  return { type: 'UserDeactivated', data: { userId } };
}

@CommandHandler(DeactivateUser)
export class DeactivateUserHandler implements ICommandHandler<DeactivateUser> {
  constructor(
    private readonly accounts: Accounts,
    private readonly credentials: Credentials,
  ) {}

  async execute({ caller, userId }: DeactivateUser): Promise<void> {
    const events = await this.accounts.decide(caller, (state, by) =>
      decideDeactivateUser(state, { userId }, by),
    );
    await this.credentials.revokeKeys(events.map(({ data }) => data.userId));
  }
}
