import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Caller } from '../../../http/caller.js';
import { Decisions } from '../../../http/decisions.js';
import { SecondFactorChanges } from '../second-factor-changes.js';
import { SecondFactors } from '../second-factors.js';
import { decideResetSecondFactor } from '../second-factor.decide.js';
import { foldedUsers } from '../users.state.js';

/** Takes the second factor of somebody away who can use it no more. They are told by e-mail. */
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

  /** The log has it first: cut off between the two, it is asked for again. */
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
