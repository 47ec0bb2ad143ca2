import { Module } from '@nestjs/common';
import { AttentionModule } from '../attention/attention.module.js';
import { MessagesModule } from '../messages/messages.module.js';
import { MailMissedMessages } from './jobs/mail-missed-messages.js';
import { PushMissedMessages } from './jobs/push-missed-messages.js';
import { MissedMessageLetters } from './letters.js';
import { MissedReader } from './missed-reader.js';
import { NotificationWording } from './notification-wording.js';
import { NoteMissedMessages } from './reactors/note-missed-messages.js';
import { TakeBackNotifications } from './reactors/take-back-notifications.js';

/** Telling people who are away what they miss. */
@Module({
  imports: [MessagesModule, AttentionModule],
  providers: [
    MissedReader,
    MissedMessageLetters,
    NotificationWording,
    NoteMissedMessages,
    TakeBackNotifications,
    MailMissedMessages,
    PushMissedMessages,
  ],
})
export class MissedMessagesModule {}
