import { GetDrafts } from '../../personal/queries/get-drafts.js';
import { GetReminders } from '../../personal/queries/get-reminders.js';
import { GetScheduledMessages } from '../../personal/queries/get-scheduled-messages.js';
import { GetNavigationViews } from '../../personal/navigation/queries/get-navigation-views.js';
import { onboardingStepsBeside } from '../../personal/onboarding/onboarding-steps.js';
import { GetSavedSnippets } from '../../personal/snippets/queries/get-saved-snippets.js';
import type { InitialState } from './initial-state.js';

/** What concerns one person alone. */
export const personalState: InitialState = {
  // Newest first, other than where they are asked for separately.
  drafts: async ({ caller, queries }) => ({
    drafts: (await queries.execute(new GetDrafts(caller))).toReversed(),
  }),
  reminders: async ({ caller, queries }) => ({ reminders: await queries.execute(new GetReminders(caller)) }),
  scheduled_messages: async ({ caller, queries }) => ({
    scheduled_messages: await queries.execute(new GetScheduledMessages(caller)),
  }),
  saved_snippets: async ({ caller, queries }) => ({
    saved_snippets: await queries.execute(new GetSavedSnippets(caller)),
  }),
  navigation_views: async ({ caller, queries }) => ({
    navigation_views: await queries.execute(new GetNavigationViews(caller)),
  }),
  onboarding_steps: async ({ caller, models }) => ({
    onboarding_steps: onboardingStepsBeside(await models.completedSteps(caller.userId)),
  }),
};
