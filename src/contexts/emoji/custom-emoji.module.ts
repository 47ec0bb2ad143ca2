import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { AddCustomEmojiHandler, DeactivateCustomEmojiHandler } from './commands/custom-emoji.js';
import { CustomEmojiController } from './custom-emoji.controller.js';
import { EmojiDataController } from './emoji-data.controller.js';
import { GetCustomEmojiHandler } from './queries/get-custom-emoji.js';

/** The organization's own emoji. */
@Module({
  imports: [CqrsModule],
  controllers: [CustomEmojiController, EmojiDataController],
  providers: [AddCustomEmojiHandler, DeactivateCustomEmojiHandler, GetCustomEmojiHandler],
})
export class CustomEmojiModule {}
