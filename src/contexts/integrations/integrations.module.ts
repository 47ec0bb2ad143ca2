import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { MessagesModule } from '../messages/messages.module.js';
import { IntegrationsController } from './integrations.controller.js';
import { TakeWebhookHandler } from './take-webhook.js';

/** Other programs that say something by their webhooks. */
@Module({
  imports: [CqrsModule, MessagesModule],
  controllers: [IntegrationsController],
  providers: [TakeWebhookHandler],
})
export class IntegrationsModule {}
