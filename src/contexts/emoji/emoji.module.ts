import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { AddCustomEmojiHandler, DeactivateCustomEmojiHandler } from './commands/custom-emoji.js';
import { CustomEmojiController, EmojiDataController } from './emoji.controller.js';
import { GetCustomEmojiHandler } from './queries/custom-emoji.js';

/** The organization's own emoji. */
@Module({
  imports: [CqrsModule],
  controllers: [CustomEmojiController, EmojiDataController],
  providers: [AddCustomEmojiHandler, DeactivateCustomEmojiHandler, GetCustomEmojiHandler],
})
export class EmojiModule {}
