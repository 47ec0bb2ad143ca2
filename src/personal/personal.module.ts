import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { MessagesModule } from '../messages/messages.module.js';
import { CancelReminderHandler } from './commands/cancel-reminder.js';
import { ChangeDraftHandler } from './commands/change-draft.js';
import { DeleteDraftHandler } from './commands/delete-draft.js';
import { RequestReminderHandler } from './commands/request-reminder.js';
import { SaveDraftsHandler } from './commands/save-drafts.js';
import { DraftsController } from './drafts.controller.js';
import { DueReminders } from './due-reminders.js';
import { PersonalChanges } from './personal-changes.js';
import { PersonalReader } from './personal-reader.js';
import { GetDraftsHandler } from './queries/get-drafts.js';
import { GetRemindersHandler } from './queries/get-reminders.js';
import { SendReminders } from './reactors/send-reminders.js';
import { RemindersController } from './reminders.controller.js';

const handlers = [
  SaveDraftsHandler,
  ChangeDraftHandler,
  DeleteDraftHandler,
  GetDraftsHandler,
  RequestReminderHandler,
  CancelReminderHandler,
  GetRemindersHandler,
];

/** What concerns one person alone. Its reactors and duties are exported for the engine to run. */
@Module({
  imports: [CqrsModule, MessagesModule],
  controllers: [DraftsController, RemindersController],
  providers: [PersonalChanges, PersonalReader, DueReminders, SendReminders, ...handlers],
  exports: [DueReminders, SendReminders],
})
export class PersonalModule {}
