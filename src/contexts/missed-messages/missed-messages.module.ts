import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import type { MissedMessageEvent } from '../../events/missed-messages.js';
import { NO_CLIENT_EVENT, type Mappers } from '../../realtime/mapper.js';
import { AttentionModule } from '../attention/attention.module.js';
import { MessagesModule } from '../messages/messages.module.js';
import { SettingsModule } from '../settings/settings.module.js';
import { UnsubscribeHandler } from './commands/unsubscribe.js';
import { MailMissedMessages } from './jobs/mail-missed-messages.js';
import { PushMissedMessages } from './jobs/push-missed-messages.js';
import { MessageTexts } from './message-texts.js';
import { MissedMessageEmails } from './missed-message-emails.js';
import { MissedReader } from './missed-reader.js';
import { NotificationWording } from './notification-wording.js';
import { NoteMissedMessages } from './reactors/note-missed-messages.js';
import { TakeBackNotifications } from './reactors/take-back-notifications.js';
import { UnsubscribeLinks } from './unsubscribe-links.js';
import { UnsubscribePagesController } from './unsubscribe-pages.controller.js';

/** Clients get no events about missed-message notifications. */
export const missedMessageMappers: Mappers<MissedMessageEvent> = {
  MessageMissed: NO_CLIENT_EVENT,
  MissedMessagePushed: NO_CLIENT_EVENT,
  MissedMessagePushDropped: NO_CLIENT_EVENT,
  MissedMessagesMailed: NO_CLIENT_EVENT,
  MissedMessagesPassed: NO_CLIENT_EVENT,
  NotificationsRemoved: NO_CLIENT_EVENT,
};

/** E-mails and push notifications about missed messages. */
@Module({
  imports: [CqrsModule, MessagesModule, AttentionModule, SettingsModule],
  controllers: [UnsubscribePagesController],
  providers: [
    MissedReader,
    MessageTexts,
    MissedMessageEmails,
    UnsubscribeLinks,
    UnsubscribeHandler,
    NotificationWording,
    NoteMissedMessages,
    TakeBackNotifications,
    MailMissedMessages,
    PushMissedMessages,
  ],
})
export class MissedMessagesModule {}
