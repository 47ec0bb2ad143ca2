import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { AttentionReader } from './attention-reader.js';
import { AttentionController } from './attention.controller.js';
import {
  ChangeAlertWordsHandler,
  MutePersonHandler,
  SetTopicVisibilityHandler,
} from './commands/attention.js';

/** Topic visibility policies, muted people and alert words. */
@Module({
  imports: [CqrsModule],
  controllers: [AttentionController],
  providers: [AttentionReader, SetTopicVisibilityHandler, MutePersonHandler, ChangeAlertWordsHandler],
  exports: [AttentionReader],
})
export class AttentionModule {}
