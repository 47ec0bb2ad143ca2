import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { MessagesModule } from '../messages/messages.module.js';
import { TellEditingHandler, TellTypingHandler } from './commands/tell-typing.js';
import { TypingSignals } from './typing-signals.js';
import { EditingController, TypingController } from './typing.controller.js';

/** Typing and editing: sent to connected clients, and not stored. */
@Module({
  imports: [CqrsModule, MessagesModule],
  controllers: [TypingController, EditingController],
  providers: [TypingSignals, TellTypingHandler, TellEditingHandler],
})
export class TypingModule {}
