import { z } from 'zod';
import { defineEvent, type EventOf } from '../kernel/event.js';

/** Stream `user-<id>`. */
export const OnboardingStepCompleted = defineEvent({
  type: 'OnboardingStepCompleted',
  description:
    'Somebody completed an onboarding step: a notice that clients show once, or an action that they take once.',
  schema: z.strictObject({ userId: z.number().int().positive(), step: z.string() }),
  example: { userId: 3, step: 'visibility_policy_banner' },
});

export const onboardingEvents = [OnboardingStepCompleted] as const;
export type OnboardingEvent = EventOf<(typeof onboardingEvents)[number]>;
