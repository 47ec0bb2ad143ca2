import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { AddCustomEmojiHandler } from './commands/add-custom-emoji.js';
import { DeactivateCustomEmojiHandler } from './commands/deactivate-custom-emoji.js';
import { CustomEmojiChanges } from './custom-emoji-changes.js';
import { CustomEmojiController } from './custom-emoji.controller.js';
import { EmojiDataController } from './emoji-data.controller.js';
import { GetCustomEmojiHandler } from './queries/get-custom-emoji.js';

/** The organization's own emoji. */
@Module({
  imports: [CqrsModule],
  controllers: [CustomEmojiController, EmojiDataController],
  providers: [CustomEmojiChanges, AddCustomEmojiHandler, DeactivateCustomEmojiHandler, GetCustomEmojiHandler],
})
export class CustomEmojiModule {}
