import type { BotStorageEvent } from '../../../events/bot-storage.js';
import type { NavigationViewEvent } from '../../../events/navigation-views.js';
import { navigationViewObject } from '../navigation/queries/get-navigation-views.js';
import type { OnboardingEvent } from '../../../events/onboarding.js';
import { onboardingStepsBeside } from '../onboarding/onboarding-steps.state.js';
import type { SavedSnippetEvent } from '../../../events/saved-snippets.js';
import { savedSnippetObject } from '../snippets/queries/get-saved-snippets.js';
import { noClientEvent, mapper, type Mappers } from '../../../realtime/mapper.js';
import { toSelf } from '../../../realtime/to-self.js';
import type { PersonalModels } from '../client-models.js';

/** Client events about saved snippets. */
export const savedSnippetMappers: Mappers<SavedSnippetEvent, PersonalModels> = {
  SavedSnippetCreated: {
    clientEvents: ({ data, metadata }) => {
      const snippet = savedSnippetObject({ ...data, createdAt: metadata.at });
      return toSelf(data, { type: 'saved_snippets', op: 'add', saved_snippet: snippet });
    },
  },
  SavedSnippetChanged: mapper({
    read: ({ data }, models) => models.savedSnippet(data.userId, data.snippetId),
    clientEvents: ({ data }, { read: snippet }) =>
      snippet === null
        ? []
        : toSelf(data, {
            type: 'saved_snippets',
            op: 'update',
            saved_snippet: savedSnippetObject(snippet),
          }),
  }),
  SavedSnippetDeleted: {
    clientEvents: ({ data }) =>
      toSelf(data, { type: 'saved_snippets', op: 'remove', saved_snippet_id: data.snippetId }),
  },
};

/** Client events about navigation views. */
export const navigationViewMappers: Mappers<NavigationViewEvent, PersonalModels> = {
  NavigationViewAdded: {
    clientEvents: ({ data }) =>
      toSelf(data, { type: 'navigation_view', op: 'add', navigation_view: navigationViewObject(data) }),
  },
  NavigationViewChanged: {
    clientEvents: ({ data: { userId, fragment, isPinned, name } }) => {
      const changed = { ...(isPinned !== null && { is_pinned: isPinned }), ...(name !== null && { name }) };
      return toSelf({ userId }, { type: 'navigation_view', op: 'update', fragment, data: changed });
    },
  },
  NavigationViewRemoved: {
    clientEvents: ({ data }) =>
      toSelf(data, { type: 'navigation_view', op: 'remove', fragment: data.fragment }),
  },
};

/** Client events about onboarding steps: the steps that are left. */
export const onboardingMappers: Mappers<OnboardingEvent, PersonalModels> = {
  OnboardingStepCompleted: mapper({
    read: ({ data: { userId } }, models) => models.completedSteps(userId),
    clientEvents: ({ data }, { read: completed }) =>
      toSelf(data, { type: 'onboarding_steps', onboarding_steps: onboardingStepsBeside(completed) }),
  }),
};

/** Bots read their storage by requests; clients get no events. */
export const botStorageMappers: Mappers<BotStorageEvent, PersonalModels> = {
  BotStorageChanged: noClientEvent,
  BotStorageCleared: noClientEvent,
};
