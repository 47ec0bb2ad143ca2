import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { MessagesModule } from '../messages/messages.module.js';
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
import { PersonalChanges } from './personal-changes.js';
import { PersonalReader } from './personal-reader.js';
import { GetDraftsHandler } from './queries/get-drafts.js';
import { GetRemindersHandler } from './queries/get-reminders.js';
import { GetScheduledMessagesHandler } from './queries/get-scheduled-messages.js';
import { SendReminders } from './reactors/send-reminders.js';
import { SendScheduledMessages } from './reactors/send-scheduled-messages.js';
import { RemindersController } from './reminders.controller.js';
import { ScheduledMessagesController } from './scheduled-messages.controller.js';

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
];

/** What concerns one person alone. Its reactors and duties are exported for the engine to run. */
@Module({
  imports: [CqrsModule, MessagesModule],
  controllers: [DraftsController, RemindersController, ScheduledMessagesController],
  providers: [
    PersonalChanges,
    PersonalReader,
    DueReminders,
    SendReminders,
    DueScheduledMessages,
    SendScheduledMessages,
    ...handlers,
  ],
  exports: [DueReminders, SendReminders, DueScheduledMessages, SendScheduledMessages],
})
export class PersonalModule {}
