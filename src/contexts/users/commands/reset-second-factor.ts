import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Caller } from '../../../http/caller.js';
import { Decisions } from '../../../http/decisions.js';
import { SecondFactorChanges } from '../second-factor-changes.js';
import { SecondFactors } from '../second-factors.js';
import { decideResetSecondFactor } from '../second-factor.decide.js';
import { foldedUsers } from '../users.state.js';

/** Removes the second factor of a person who can no longer use it, and notifies them by e-mail. */
export class ResetSecondFactor extends Command<void> {
  constructor(
    readonly caller: Caller,
    readonly userId: number,
  ) {
    super();
  }
}

@CommandHandler(ResetSecondFactor)
export class ResetSecondFactorHandler implements ICommandHandler<ResetSecondFactor> {
  constructor(
    private readonly decisions: Decisions,
    private readonly factors: SecondFactors,
    private readonly changes: SecondFactorChanges,
  ) {}

  /** The event is appended first: if the command is interrupted after it, it can be repeated. */
  async execute({ caller, userId }: ResetSecondFactor): Promise<void> {
    const { isEnabled } = await this.factors.of(userId);
    await this.changes.record(
      decideResetSecondFactor(
        await this.decisions.load(foldedUsers),
        { userId, isEnabled },
        this.decisions.actor(caller),
      ),
      caller,
    );
    await this.factors.remove(userId);
  }
}
