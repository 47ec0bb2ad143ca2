import { Module, type DynamicModule } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { AttentionModule } from '../attention/attention.module.js';
import { ChannelsModule } from '../channels/channels.module.js';
import { MessagesModule } from '../messages/messages.module.js';
import { PersonalModule } from '../personal/personal.module.js';
import type { ApplicationNode } from '../application-node.js';
import { ClientModels } from './client-models.js';
import { DeleteQueueHandler } from './commands/delete-queue.js';
import { RegisterClientHandler } from './commands/register-client.js';
import { Delivery } from './delivery.js';
import { EmojiDataController } from './emoji-data.controller.js';
import { EphemeralEvents } from './ephemeral-events.js';
import { EventFeed } from './event-feed.js';
import { GetEventsHandler } from './queries/get-events.js';
import { EventQueues } from './queues/event-queues.js';
import { RealtimeController } from './realtime.controller.js';
import { StateReader } from './state/read-state.js';

/** Real time: the log as it is told to clients. */
@Module({})
export class RealtimeModule {
  static register({ stores, follower, positions, clock, logger }: ApplicationNode): DynamicModule {
    const feed = {
      provide: EventFeed,
      useFactory: (models: ClientModels, queues: EventQueues, delivery: Delivery) =>
        new EventFeed({ log: stores.log, follower, positions, models, queues, delivery, clock, logger }),
      inject: [ClientModels, EventQueues, Delivery],
    };
    const handlers = [RegisterClientHandler, GetEventsHandler, DeleteQueueHandler];
    return {
      module: RealtimeModule,
      global: true,
      imports: [CqrsModule, AttentionModule, ChannelsModule, MessagesModule, PersonalModule],
      controllers: [RealtimeController, EmojiDataController],
      providers: [feed, EventQueues, Delivery, ClientModels, EphemeralEvents, StateReader, ...handlers],
      exports: [EventFeed, EphemeralEvents],
    };
  }
}
