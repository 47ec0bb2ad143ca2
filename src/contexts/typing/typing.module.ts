import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { MessagesModule } from '../messages/messages.module.js';
import { TellEditingHandler, TellTypingHandler } from './commands/tell-typing.js';
import { TypingSignals } from './typing-signals.js';
import { EditingController, TypingController } from './typing.controller.js';

/** Who is typing, and who is editing: told to whoever listens, and kept nowhere. */
@Module({
  imports: [CqrsModule, MessagesModule],
  controllers: [TypingController, EditingController],
  providers: [TypingSignals, TellTypingHandler, TellEditingHandler],
})
export class TypingModule {}
