import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { MessagesModule } from '../messages/messages.module.js';
import { BotStorageController } from './bot-storage/bot-storage.controller.js';
import { ChangeBotStorageHandler } from './bot-storage/commands/change-bot-storage.js';
import { ClearBotStorageHandler } from './bot-storage/commands/clear-bot-storage.js';
import { GetBotStorageHandler } from './bot-storage/queries/get-bot-storage.js';
import { CancelReminderHandler } from './commands/cancel-reminder.js';
import { CancelScheduledMessageHandler } from './commands/cancel-scheduled-message.js';
import { ChangeDraftHandler } from './commands/change-draft.js';
import { ChangeScheduledMessageHandler } from './commands/change-scheduled-message.js';
import { DeleteDraftHandler } from './commands/delete-draft.js';
import { RequestReminderHandler } from './commands/request-reminder.js';
import { SaveDraftsHandler } from './commands/save-drafts.js';
import { ScheduleMessageHandler } from './commands/schedule-message.js';
import { DraftsController } from './drafts.controller.js';
import { DueReminders } from './due-reminders.js';
import { DueScheduledMessages } from './due-scheduled-messages.js';
import { AddNavigationViewHandler } from './navigation/commands/add-navigation-view.js';
import { ChangeNavigationViewHandler } from './navigation/commands/change-navigation-view.js';
import { RemoveNavigationViewHandler } from './navigation/commands/remove-navigation-view.js';
import { NavigationViewsController } from './navigation/navigation-views.controller.js';
import { GetNavigationViewsHandler } from './navigation/queries/get-navigation-views.js';
import { CompleteOnboardingStepHandler } from './onboarding/commands/complete-onboarding-step.js';
import { OnboardingStepsController } from './onboarding/onboarding-steps.controller.js';
import { PersonalChanges } from './personal-changes.js';
import { PersonalReader } from './personal-reader.js';
import { GetDraftsHandler } from './queries/get-drafts.js';
import { GetRemindersHandler } from './queries/get-reminders.js';
import { GetScheduledMessagesHandler } from './queries/get-scheduled-messages.js';
import { DiscardDrafts } from './reactors/discard-drafts.js';
import { SendReminders } from './reactors/send-reminders.js';
import { SendScheduledMessages } from './reactors/send-scheduled-messages.js';
import { RemindersController } from './reminders.controller.js';
import { ScheduledMessagesController } from './scheduled-messages.controller.js';
import { ChangeSavedSnippetHandler } from './snippets/commands/change-saved-snippet.js';
import { CreateSavedSnippetHandler } from './snippets/commands/create-saved-snippet.js';
import { DeleteSavedSnippetHandler } from './snippets/commands/delete-saved-snippet.js';
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

/** What concerns one person alone. */
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
    PersonalChanges,
    PersonalReader,
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
