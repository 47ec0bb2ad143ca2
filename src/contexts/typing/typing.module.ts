import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { MessagesModule } from '../messages/messages.module.js';
import { ReportEditingHandler, ReportTypingHandler, TypingSignals } from './commands/report-typing.js';
import { EditingController, TypingController } from './typing.controller.js';

/** Typing and editing: sent to connected clients, and not stored. */
@Module({
  imports: [CqrsModule, MessagesModule],
  controllers: [TypingController, EditingController],
  providers: [TypingSignals, ReportTypingHandler, ReportEditingHandler],
})
export class TypingModule {}
