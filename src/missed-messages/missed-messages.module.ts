import { Module } from '@nestjs/common';
import { AttentionModule } from '../attention/attention.module.js';
import { MessagesModule } from '../messages/messages.module.js';
import { MailMissedMessages } from './duties/mail-missed-messages.js';
import { PushMissedMessages } from './duties/push-missed-messages.js';
import { MissedMessageLetters } from './letters.js';
import { MissedReader } from './missed-reader.js';
import { NotificationWording } from './notification-wording.js';
import { NoteMissedMessages } from './reactors/note-missed-messages.js';

/** Telling people who are away what they miss. */
@Module({
  imports: [MessagesModule, AttentionModule],
  providers: [
    MissedReader,
    MissedMessageLetters,
    NotificationWording,
    NoteMissedMessages,
    MailMissedMessages,
    PushMissedMessages,
  ],
})
export class MissedMessagesModule {}
