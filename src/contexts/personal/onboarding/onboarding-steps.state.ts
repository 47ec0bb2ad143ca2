import { streamsOf } from '../../../kernel/decision.js';
import { personalStream } from '../../../events/personal.js';
import type { Fold } from '../../../kernel/fold.js';
import type { RecordedEvent } from '../../../kernel/event.js';
import type { OnboardingEvent } from '../../../events/onboarding.js';

/** An onboarding step in the API. */
interface OnboardingStep {
  readonly type: 'one_time_notice' | 'one_time_action';
  readonly name: string;
}

/** In the order in which clients get them. */
const onboardingSteps: readonly OnboardingStep[] = [
  { type: 'one_time_notice', name: 'visibility_policy_banner' },
  { type: 'one_time_notice', name: 'intro_inbox_view_modal' },
  { type: 'one_time_notice', name: 'intro_recent_view_modal' },
  { type: 'one_time_notice', name: 'first_stream_created_banner' },
  { type: 'one_time_notice', name: 'jump_to_conversation_banner' },
  { type: 'one_time_notice', name: 'non_interleaved_view_messages_fading' },
  { type: 'one_time_notice', name: 'interleaved_view_messages_fading' },
  { type: 'one_time_notice', name: 'intro_resolve_topic' },
  { type: 'one_time_action', name: 'narrow_to_dm_with_welcome_bot_new_user' },
];

/** Whether an onboarding step with this name exists. */
export function isOnboardingStep(name: string): boolean {
  return onboardingSteps.some((step) => step.name === name);
}

/** The steps that are left after the completed ones. */
export function onboardingStepsBeside(completed: readonly string[]): readonly OnboardingStep[] {
  return onboardingSteps.filter(({ name }) => !completed.includes(name));
}

/** The steps that a person completed. */
export type CompletedSteps = readonly string[];

/** Folds a person's completed onboarding steps out of their stream. */
export const completedStepsFold: Fold<CompletedSteps, RecordedEvent<OnboardingEvent>> = {
  snapshot: { name: 'completed-onboarding-steps', version: 1 },
  initial: [],
  evolve: (completed, event) =>
    // The stream has other events too.
    (event.type as string) === 'OnboardingStepCompleted' ? [...completed, event.data.step] : completed,
};

/** The onboarding steps that a person completed, for decisions about them. */
export const completedStepsOf = streamsOf(personalStream, completedStepsFold);
