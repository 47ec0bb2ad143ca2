import { Module, type DynamicModule } from '@nestjs/common';
import type { Configuration } from '../../config.js';
import type { OutgoingWebhookEvent } from '../../events/outgoing-webhooks.js';
import { NO_CLIENT_EVENT, type Mappers } from '../../realtime/mapper.js';
import { MessagesModule } from '../messages/messages.module.js';
import { BotReplies } from './bot-replies.js';
import { OpenNetworks } from './networks.js';
import { NoteCalls } from './reactors.js';
import { SendCalls } from './jobs.js';
import { WebhookClient } from './webhook-client.js';

/** Clients get the resulting messages, but no events about calls. */
export const outgoingWebhookMappers: Mappers<OutgoingWebhookEvent> = {
  OutgoingWebhookRequested: NO_CLIENT_EVENT,
  OutgoingWebhookUnanswered: NO_CLIENT_EVENT,
  OutgoingWebhookAnswered: NO_CLIENT_EVENT,
  OutgoingWebhookFailed: NO_CLIENT_EVENT,
};

/** Sending messages to outgoing webhook bots, and posting their replies. */
@Module({})
export class OutgoingWebhooksModule {
  static register({
    configuration,
  }: {
    readonly configuration: Pick<Configuration, 'outgoingWebhookNetworks'>;
  }): DynamicModule {
    const client = new WebhookClient(new OpenNetworks(configuration.outgoingWebhookNetworks));
    return {
      module: OutgoingWebhooksModule,
      imports: [MessagesModule],
      providers: [{ provide: WebhookClient, useValue: client }, BotReplies, NoteCalls, SendCalls],
    };
  }
}
