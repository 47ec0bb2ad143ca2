import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { MessagesModule } from '../messages/messages.module.js';
import { BotStorageController } from './bot-storage/bot-storage.controller.js';
import { ChangeBotStorageHandler, ClearBotStorageHandler } from './bot-storage/commands/bot-storage.js';
import { GetBotStorageHandler } from './bot-storage/queries/get-bot-storage.js';
import { CancelReminderHandler, RequestReminderHandler } from './commands/reminders.js';
import {
  CancelScheduledMessageHandler,
  ChangeScheduledMessageHandler,
  ScheduleMessageHandler,
} from './commands/scheduled-messages.js';
import { ChangeDraftHandler, DeleteDraftHandler, SaveDraftsHandler } from './commands/drafts.js';
import { DraftsController } from './drafts.controller.js';
import { DueReminders, DueScheduledMessages } from './jobs.js';
import {
  AddNavigationViewHandler,
  ChangeNavigationViewHandler,
  RemoveNavigationViewHandler,
} from './navigation/commands/navigation-views.js';
import { NavigationViewsController } from './navigation/navigation-views.controller.js';
import { GetNavigationViewsHandler } from './navigation/queries/get-navigation-views.js';
import { CompleteOnboardingStepHandler } from './onboarding/commands/onboarding-steps.js';
import { OnboardingStepsController } from './onboarding/onboarding-steps.controller.js';
import { ListBudget } from './list-budget.js';
import { PersonalReader } from './personal-reader.js';
import { GetDraftsHandler, GetRemindersHandler, GetScheduledMessagesHandler } from './queries/personal.js';
import { DiscardDrafts, SendReminders, SendScheduledMessages } from './reactors.js';
import { RemindersController } from './reminders.controller.js';
import { ScheduledMessagesController } from './scheduled-messages.controller.js';
import {
  ChangeSavedSnippetHandler,
  CreateSavedSnippetHandler,
  DeleteSavedSnippetHandler,
} from './snippets/commands/saved-snippets.js';
import { GetSavedSnippetsHandler } from './snippets/queries/get-saved-snippets.js';
import { SavedSnippetsController } from './snippets/saved-snippets.controller.js';

const handlers = [
  SaveDraftsHandler,
  ChangeDraftHandler,
  DeleteDraftHandler,
  GetDraftsHandler,
  RequestReminderHandler,
  CancelReminderHandler,
  GetRemindersHandler,
  ScheduleMessageHandler,
  ChangeScheduledMessageHandler,
  CancelScheduledMessageHandler,
  GetScheduledMessagesHandler,
  CreateSavedSnippetHandler,
  ChangeSavedSnippetHandler,
  DeleteSavedSnippetHandler,
  GetSavedSnippetsHandler,
  AddNavigationViewHandler,
  ChangeNavigationViewHandler,
  RemoveNavigationViewHandler,
  GetNavigationViewsHandler,
  ChangeBotStorageHandler,
  ClearBotStorageHandler,
  GetBotStorageHandler,
  CompleteOnboardingStepHandler,
];

/**
 * What belongs to one person: drafts, reminders, scheduled messages, snippets, navigation views, onboarding
 * steps, bot storage.
 */
@Module({
  imports: [CqrsModule, MessagesModule],
  controllers: [
    DraftsController,
    RemindersController,
    ScheduledMessagesController,
    SavedSnippetsController,
    NavigationViewsController,
    BotStorageController,
    OnboardingStepsController,
  ],
  providers: [
    PersonalReader,
    ListBudget,
    DueReminders,
    SendReminders,
    DiscardDrafts,
    DueScheduledMessages,
    SendScheduledMessages,
    ...handlers,
  ],
  exports: [PersonalReader],
})
export class PersonalModule {}
