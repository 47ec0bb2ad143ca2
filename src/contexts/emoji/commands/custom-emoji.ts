import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { StoredImage } from '../../../stores/file-store/image.js';
import type { Caller } from '../../../http/caller.js';
import { Decisions } from '../../../http/decisions.js';
import { foldedCustomEmoji } from '../../../access/records/custom-emoji.js';
import { decideAddCustomEmoji, decideDeactivateCustomEmoji } from '../custom-emoji.decide.js';

/** Adds a custom emoji (`POST /realm/emoji/{emoji_name}`). */
export class AddCustomEmoji extends Command<void> {
  constructor(
    readonly caller: Caller,
    readonly name: string,
    readonly image: StoredImage,
  ) {
    super();
  }
}

@CommandHandler(AddCustomEmoji)
export class AddCustomEmojiHandler implements ICommandHandler<AddCustomEmoji> {
  constructor(private readonly decisions: Decisions) {}

  async execute({ caller, name, image }: AddCustomEmoji): Promise<void> {
    await this.decisions.decide(caller, foldedCustomEmoji, (set, actor) =>
      decideAddCustomEmoji(set, { name, image }, actor),
    );
  }
}

/** Deactivates a custom emoji (`DELETE /realm/emoji/{emoji_name}`). */
export class DeactivateCustomEmoji extends Command<void> {
  constructor(
    readonly caller: Caller,
    readonly name: string,
  ) {
    super();
  }
}

@CommandHandler(DeactivateCustomEmoji)
export class DeactivateCustomEmojiHandler implements ICommandHandler<DeactivateCustomEmoji> {
  constructor(private readonly decisions: Decisions) {}

  async execute({ caller, name }: DeactivateCustomEmoji): Promise<void> {
    await this.decisions.decide(caller, foldedCustomEmoji, (set, actor) =>
      decideDeactivateCustomEmoji(set, name, actor),
    );
  }
}
