import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { TellTypingHandler } from './commands/tell-typing.js';
import { TypingSignals } from './typing-signals.js';
import { TypingController } from './typing.controller.js';

/** Who is typing: told to whoever listens, and kept nowhere. */
@Module({
  imports: [CqrsModule],
  controllers: [TypingController],
  providers: [TypingSignals, TellTypingHandler],
})
export class TypingModule {}
