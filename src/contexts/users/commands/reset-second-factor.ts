import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { isOwner } from '../../../access/records/roles.js';
import type { SecondFactorEvent } from '../../../events/second-factor.js';
import type { Caller } from '../../../http/caller.js';
import { failure } from '../../../kernel/errors.js';
import { Accounts } from '../accounts.js';
import type { Acting } from '../decisions.js';
import { SecondFactorChanges } from '../second-factor-changes.js';
import { SecondFactors } from '../second-factors.js';
import { actingUser, changeableUser, type UserDirectory } from '../user-directory.js';

/** Takes the second factor of somebody away who can use it no more. They are told by e-mail. */
export class ResetSecondFactor extends Command<void> {
  constructor(
    readonly caller: Caller,
    readonly userId: number,
  ) {
    super();
  }
}

/** Whose second factor it is, and whether they have one. */
export interface FactorOwner {
  readonly userId: number;
  readonly isEnabled: boolean;
}

/**
 * Owners do it for others; whoever holds an owner's key alone must not end what stands behind that owner's password.
 *
 * @throws ApplicationError `ownerRequired`, `noSuchUser` (a bot is no user here), `ownSecondFactor`, `noSecondFactor`
 */
export function decideResetSecondFactor(
  state: UserDirectory,
  { userId, isEnabled }: FactorOwner,
  { actorId }: Acting,
): SecondFactorEvent {
  if (!isOwner(actingUser(state, actorId))) throw failure('ownerRequired');
  if (changeableUser(state, userId).bot !== null) throw failure('noSuchUser');
  if (userId === actorId) throw failure('ownSecondFactor');
  if (!isEnabled) throw failure('noSecondFactor');
  return { type: 'SecondFactorRevoked', data: { userId } };
}

@CommandHandler(ResetSecondFactor)
export class ResetSecondFactorHandler implements ICommandHandler<ResetSecondFactor> {
  constructor(
    private readonly accounts: Accounts,
    private readonly factors: SecondFactors,
    private readonly changes: SecondFactorChanges,
  ) {}

  /** The log has it first: cut off between the two, it is asked for again. */
  async execute({ caller, userId }: ResetSecondFactor): Promise<void> {
    const { isEnabled } = await this.factors.of(userId);
    const by = { actorId: caller.userId };
    await this.changes.record(
      decideResetSecondFactor(await this.accounts.all(), { userId, isEnabled }, by),
      caller,
    );
    await this.factors.remove(userId);
  }
}
