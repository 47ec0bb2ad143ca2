import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { MessagesModule } from '../messages/messages.module.js';
import { IntegrationsController } from './integrations.controller.js';
import { TakeWebhookHandler } from './commands/take-webhook.js';

/** Integrations with other programs by their webhooks. */
@Module({
  imports: [CqrsModule, MessagesModule],
  controllers: [IntegrationsController],
  providers: [TakeWebhookHandler],
})
export class IntegrationsModule {}
