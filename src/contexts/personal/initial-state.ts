import { GetDrafts } from './queries/get-drafts.js';
import { GetReminders } from './queries/get-reminders.js';
import { GetScheduledMessages } from './queries/get-scheduled-messages.js';
import { GetNavigationViews } from './navigation/queries/get-navigation-views.js';
import { onboardingStepsBeside } from './onboarding/onboarding-steps.state.js';
import { GetSavedSnippets } from './snippets/queries/get-saved-snippets.js';
import type { InitialState } from '../../realtime/initial-state.js';
import type { PersonalModels } from './client-models.js';

/** Drafts, reminders, scheduled messages, snippets, navigation views and onboarding steps. */
export const personalState: InitialState<PersonalModels> = {
  // Newest first, unlike in `GET /drafts`.
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
    navigation_tour_video_url: null,
    onboarding_steps: onboardingStepsBeside(await models.completedSteps(caller.userId)),
  }),
};
