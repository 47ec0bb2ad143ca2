import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { DeleteMessageHandler } from './commands/delete-message.js';
import { EditMessageHandler } from './commands/edit-message.js';
import { SendMessageHandler } from './commands/send-message.js';
import { MessageChanges } from './message-changes.js';
import { MessageReader } from './message-reader.js';
import { MessagesController } from './messages.controller.js';
import { GetMessageHandler } from './queries/get-message.js';
import { GetMessageHistoryHandler } from './queries/get-message-history.js';
import { GetMessagesHandler } from './queries/get-messages.js';
import { GetTopicsHandler } from './queries/get-topics.js';
import { TopicsController } from './topics.controller.js';

const handlers = [
  SendMessageHandler,
  EditMessageHandler,
  DeleteMessageHandler,
  GetMessagesHandler,
  GetMessageHandler,
  GetMessageHistoryHandler,
  GetTopicsHandler,
];

/** Messages: sending, reading, editing and deleting them. */
@Module({
  imports: [CqrsModule],
  controllers: [MessagesController, TopicsController],
  providers: [MessageReader, MessageChanges, ...handlers],
  exports: [MessageReader],
})
export class MessagesModule {}
