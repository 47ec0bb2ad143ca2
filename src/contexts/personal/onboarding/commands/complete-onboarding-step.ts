import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Caller } from '../../../../http/caller.js';
import { failure } from '../../../../kernel/errors.js';
import type { User } from '../../../../access/records/user.js';
import { PersonalChanges } from '../../personal-changes.js';
import type { OnboardingEvent } from '../../../../events/onboarding.js';
import { completedStepsFold, isOnboardingStep, type CompletedSteps } from '../onboarding-steps.js';

/** Notes that the caller need not be shown or given something again (facts, POST users/me/onboarding_steps). */
export class CompleteOnboardingStep extends Command<void> {
  constructor(
    readonly caller: Caller,
    readonly step: string,
  ) {
    super();
  }
}

/**
 * Whoever completes a step again changes nothing.
 *
 * @throws ApplicationError `botsNotAllowed`, `unknownOnboardingStep`
 */
export function decideCompleteOnboardingStep(
  completed: CompletedSteps,
  step: string,
  { id: userId, bot }: Pick<User, 'id' | 'bot'>,
): readonly OnboardingEvent[] {
  if (bot !== null) throw failure('botsNotAllowed');
  if (!isOnboardingStep(step)) throw failure('unknownOnboardingStep', { reason: step });
  return completed.includes(step) ? [] : [{ type: 'OnboardingStepCompleted', data: { userId, step } }];
}

@CommandHandler(CompleteOnboardingStep)
export class CompleteOnboardingStepHandler implements ICommandHandler<CompleteOnboardingStep> {
  constructor(private readonly personal: PersonalChanges) {}

  async execute({ caller, step }: CompleteOnboardingStep): Promise<void> {
    const { user } = this.personal.acting(caller);
    await this.personal.apply(caller, {
      fold: completedStepsFold,
      decide: (completed) => decideCompleteOnboardingStep(completed, step, user),
    });
  }
}
