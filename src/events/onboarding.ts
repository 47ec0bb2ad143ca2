import { z } from 'zod';
import { defineEvent, type EventOf } from '../kernel/event.js';

/** Stream `user-<id>`. */
export const OnboardingStepCompleted = defineEvent({
  type: 'OnboardingStepCompleted',
  description: 'Somebody saw a notice that clients show once, or had done for them what clients do once.',
  schema: z.strictObject({ userId: z.number().int().positive(), step: z.string() }),
  example: { userId: 3, step: 'visibility_policy_banner' },
});

export const onboardingEvents = [OnboardingStepCompleted] as const;
export type OnboardingEvent = EventOf<(typeof onboardingEvents)[number]>;
