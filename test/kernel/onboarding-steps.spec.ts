import { describe, expect, it } from '@jest/globals';
import { decideCompleteOnboardingStep } from '../../src/contexts/personal/onboarding/onboarding-steps.decide.js';
import type { OnboardingEvent } from '../../src/events/onboarding.js';
import {
  completedStepsFold,
  onboardingStepsBeside,
  type CompletedSteps,
} from '../../src/contexts/personal/onboarding/onboarding-steps.state.js';
import { refusal, TestLog } from '../support/given.js';

const ada = { id: 3, bot: null };
const step = 'visibility_policy_banner';

function after(...events: readonly OnboardingEvent[]): CompletedSteps {
  const log = new TestLog();
  log.append(`user-${ada.id}`, events);
  return log.fold(completedStepsFold, `user-${ada.id}`);
}

describe('an onboarding step', () => {
  const events = decideCompleteOnboardingStep(after(), step, ada);

  it('is completed once', () => {
    expect(events).toEqual([{ type: 'OnboardingStepCompleted', data: { userId: 3, step } }]);
    expect(decideCompleteOnboardingStep(after(...events), step, ada)).toEqual([]);
    expect(decideCompleteOnboardingStep(after(...events), 'intro_resolve_topic', ada)).toHaveLength(1);
  });

  it('is left until it is completed', () => {
    const all = onboardingStepsBeside(after());
    expect(onboardingStepsBeside(after(...events))).toEqual(all.filter(({ name }) => name !== step));
    expect(all[0]).toEqual({ type: 'one_time_notice', name: step });
  });

  it('is one of those that clients are told of', () => {
    expect(refusal(() => decideCompleteOnboardingStep(after(), 'no_such_step', ada))).toBe(
      'unknownOnboardingStep',
    );
  });

  it('is for people, not for bots', () => {
    const bot = { id: 4, bot: { type: 1, ownerId: 3, isSystem: false } };
    expect(refusal(() => decideCompleteOnboardingStep(after(), step, bot))).toBe('botsNotAllowed');
  });
});
