import { failure } from '../../../kernel/errors.js';
import type { User } from '../../../access/records/user.js';
import type { OnboardingEvent } from '../../../events/onboarding.js';
import { isOnboardingStep, type CompletedSteps } from './onboarding-steps.state.js';

/**
 * No events when the step is completed already.
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
