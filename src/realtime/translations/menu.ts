import type { BotStorageEvent } from '../../personal/bot-storage/events.js';
import type { NavigationViewEvent } from '../../personal/navigation/events.js';
import { navigationViewObject } from '../../personal/navigation/queries/get-navigation-views.js';
import type { OnboardingEvent } from '../../personal/onboarding/events.js';
import { onboardingStepsBeside } from '../../personal/onboarding/onboarding-steps.js';
import type { SavedSnippetEvent } from '../../personal/snippets/events.js';
import { savedSnippetObject } from '../../personal/snippets/queries/get-saved-snippets.js';
import { noClientEvent, translation, type Translations } from '../translation.js';
import { toSelf } from './to-self.js';

/** Texts that people saved to use again. */
export const savedSnippetTranslations: Translations<SavedSnippetEvent> = {
  SavedSnippetCreated: {
    notices: ({ data, metadata }) => {
      const snippet = savedSnippetObject({ ...data, createdAt: metadata.at });
      return toSelf(data, { type: 'saved_snippets', op: 'add', saved_snippet: snippet });
    },
  },
  SavedSnippetChanged: translation({
    read: ({ data }, models) => models.savedSnippet(data.userId, data.snippetId),
    notices: ({ data }, { read: snippet }) =>
      snippet === null
        ? []
        : toSelf(data, {
            type: 'saved_snippets',
            op: 'update',
            saved_snippet: savedSnippetObject(snippet),
          }),
  }),
  SavedSnippetDeleted: {
    notices: ({ data }) =>
      toSelf(data, { type: 'saved_snippets', op: 'remove', saved_snippet_id: data.snippetId }),
  },
};

/** Views of people's menus. */
export const navigationViewTranslations: Translations<NavigationViewEvent> = {
  NavigationViewAdded: {
    notices: ({ data }) =>
      toSelf(data, { type: 'navigation_view', op: 'add', navigation_view: navigationViewObject(data) }),
  },
  NavigationViewChanged: {
    notices: ({ data: { userId, fragment, isPinned, name } }) => {
      const changed = { ...(isPinned !== null && { is_pinned: isPinned }), ...(name !== null && { name }) };
      return toSelf({ userId }, { type: 'navigation_view', op: 'update', fragment, data: changed });
    },
  },
  NavigationViewRemoved: {
    notices: ({ data }) => toSelf(data, { type: 'navigation_view', op: 'remove', fragment: data.fragment }),
  },
};

/** What clients show or do once: all that is left of it. */
export const onboardingTranslations: Translations<OnboardingEvent> = {
  OnboardingStepCompleted: translation({
    read: ({ data: { userId } }, models) => models.completedSteps(userId),
    notices: ({ data }, { read: completed }) =>
      toSelf(data, { type: 'onboarding_steps', onboarding_steps: onboardingStepsBeside(completed) }),
  }),
};

/** What bots note is for them to ask for. */
export const botStorageTranslations: Translations<BotStorageEvent> = {
  BotStorageChanged: noClientEvent,
  BotStorageCleared: noClientEvent,
};
