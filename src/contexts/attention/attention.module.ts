import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { AttentionChanges } from './attention-changes.js';
import { AttentionReader } from './attention-reader.js';
import { AttentionController } from './attention.controller.js';
import { ChangeAlertWordsHandler } from './commands/change-alert-words.js';
import { MutePersonHandler } from './commands/mute-person.js';
import { SetTopicVisibilityHandler } from './commands/set-topic-visibility.js';

/** What people want to hear of, and what not. */
@Module({
  imports: [CqrsModule],
  controllers: [AttentionController],
  providers: [
    AttentionReader,
    AttentionChanges,
    SetTopicVisibilityHandler,
    MutePersonHandler,
    ChangeAlertWordsHandler,
  ],
  exports: [AttentionReader, AttentionChanges],
})
export class AttentionModule {}
