import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Caller } from '../../../../http/caller.js';
import { Decisions } from '../../../../http/decisions.js';
import { completedStepsOf } from '../onboarding-steps.state.js';
import { decideCompleteOnboardingStep } from '../onboarding-steps.decide.js';

/** Marks an onboarding step as completed (`POST /users/me/onboarding_steps`). */
export class CompleteOnboardingStep extends Command<void> {
  constructor(
    readonly caller: Caller,
    readonly step: string,
  ) {
    super();
  }
}

@CommandHandler(CompleteOnboardingStep)
export class CompleteOnboardingStepHandler implements ICommandHandler<CompleteOnboardingStep> {
  constructor(private readonly decisions: Decisions) {}

  async execute({ caller, step }: CompleteOnboardingStep): Promise<void> {
    await this.decisions.decide(caller, completedStepsOf(caller.userId), (completed, { user }) =>
      decideCompleteOnboardingStep(completed, step, user),
    );
  }
}
