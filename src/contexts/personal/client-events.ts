import type { BotStorageEvent } from '../../events/bot-storage.js';
import type { NavigationViewEvent } from '../../events/navigation-views.js';
import type { OnboardingEvent } from '../../events/onboarding.js';
import type {
  DraftEvent,
  MessageScheduled,
  ReminderCancelled,
  ReminderEvent,
  ScheduledMessageCancelled,
  ScheduledMessageEvent,
} from '../../events/personal.js';
import type { SavedSnippetEvent } from '../../events/saved-snippets.js';
import type { EventOf } from '../../kernel/event.js';
import { renderMarkdown } from '../../markdown/render.js';
import type { InitialState } from '../../realtime/initial-state.js';
import { type AddressedEvent, mapper, type Mappers, NO_CLIENT_EVENT, toSelf } from '../../realtime/mapper.js';
import { GetNavigationViews } from './navigation/queries/get-navigation-views.js';
import {
  draftObject,
  navigationViewObject,
  reminderObject,
  savedSnippetObject,
  scheduledMessageObject,
} from './personal.view.js';
import { onboardingStepsBeside } from './onboarding/onboarding-steps.state.js';
import { GetDrafts, GetReminders, GetScheduledMessages } from './queries/personal.js';
import type { SavedSnippetDocument, ScheduledMessageDocument } from './read-model.js';
import { GetSavedSnippets } from './snippets/queries/get-saved-snippets.js';

/** The read models behind client events about drafts, reminders, scheduled messages and the like. */
export interface PersonalModels {
  /** A waiting scheduled message; null when it does not wait any more. */
  scheduledMessage(userId: number, scheduledId: number): Promise<ScheduledMessageDocument | null>;

  /** Null when it was deleted. */
  savedSnippet(userId: number, snippetId: number): Promise<SavedSnippetDocument | null>;

  /** Names of the onboarding steps that a person completed. */
  completedSteps(userId: number): Promise<readonly string[]>;
}

/** Client events about drafts, reminders and scheduled messages. */
export const personalMappers: Mappers<DraftEvent | ReminderEvent | ScheduledMessageEvent, PersonalModels> = {
  DraftSaved: {
    clientEvents: ({ data }) => toSelf(data, { type: 'drafts', op: 'add', drafts: [draftObject(data)] }),
  },
  DraftChanged: {
    clientEvents: ({ data }) => toSelf(data, { type: 'drafts', op: 'update', draft: draftObject(data) }),
  },
  DraftDeleted: {
    clientEvents: ({ data }) => toSelf(data, { type: 'drafts', op: 'remove', draft_id: data.draftId }),
  },
  // Clients keep their own copies when synchronization is turned off (`enable_drafts_synchronization`).
  DraftsDiscarded: NO_CLIENT_EVENT,
  ReminderRequested: {
    clientEvents: ({ data }) => {
      const { html } = renderMarkdown(data.content, data.references);
      const reminders = [reminderObject({ ...data, html })];
      return toSelf(data, { type: 'reminders', op: 'add', reminders });
    },
  },
  ReminderCancelled: { clientEvents: ({ data }) => reminderGone(data) },
  ReminderTriggered: { clientEvents: ({ data }) => reminderGone(data) },
  MessageScheduled: {
    clientEvents: ({ data }) => {
      const scheduled = [scheduledObject(data)];
      return toSelf(data, { type: 'scheduled_messages', op: 'add', scheduled_messages: scheduled });
    },
  },
  ScheduledMessageChanged: {
    clientEvents: ({ data }) => {
      const scheduled = scheduledObject(data);
      return toSelf(data, { type: 'scheduled_messages', op: 'update', scheduled_message: scheduled });
    },
  },
  ScheduledMessageCancelled: { clientEvents: ({ data }) => scheduledGone(data) },
  ScheduledMessageTriggered: { clientEvents: ({ data }) => scheduledGone(data) },
  ScheduledMessageFailed: mapper({
    read: ({ data }, models) => models.scheduledMessage(data.userId, data.scheduledId),
    clientEvents: ({ data }, { read: message }) => {
      if (message === null) return [];
      const scheduled = scheduledMessageObject(message);
      return toSelf(data, { type: 'scheduled_messages', op: 'update', scheduled_message: scheduled });
    },
  }),
};

function reminderGone(data: EventOf<typeof ReminderCancelled>['data']): readonly AddressedEvent[] {
  return toSelf(data, { type: 'reminders', op: 'remove', reminder_id: data.reminderId });
}

function scheduledGone(data: EventOf<typeof ScheduledMessageCancelled>['data']): readonly AddressedEvent[] {
  return toSelf(data, {
    type: 'scheduled_messages',
    op: 'remove',
    scheduled_message_id: data.scheduledId,
  });
}

function scheduledObject(data: EventOf<typeof MessageScheduled>['data']): object {
  const { html } = renderMarkdown(data.content, data.references);
  return scheduledMessageObject({ ...data, html, isFailed: false });
}

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
  BotStorageChanged: NO_CLIENT_EVENT,
  BotStorageCleared: NO_CLIENT_EVENT,
};

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
