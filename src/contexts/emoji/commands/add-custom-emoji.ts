import { budgets } from '../../../kernel/budgets.js';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { mayAddCustomEmoji } from '../../../access/people-permissions.js';
import type { StoredImage } from '../../../stores/file-store/image.js';
import type { Caller } from '../../../http/caller.js';
import { failure } from '../../../kernel/errors.js';
import { emojiCode } from '../../../markdown/emoji.js';
import type { ActorAt } from '../../users/decisions.js';
import { isAdministrator } from '../../../access/records/roles.js';
import { CustomEmojiChanges } from '../custom-emoji-changes.js';
import { customEmojiNamed, type CustomEmojiSet } from '../../../access/records/custom-emoji.js';
import { customEmojiName } from '../emoji-name.js';
import type { CustomEmojiEvent } from '../../../events/custom-emoji.js';

/** Adds an emoji of the organization's own (facts, section 5, realm/emoji). */
export class AddCustomEmoji extends Command<void> {
  constructor(
    readonly caller: Caller,
    readonly name: string,
    readonly image: StoredImage,
  ) {
    super();
  }
}

/** @throws ApplicationError `insufficientPermission`, those of {@link customEmojiName}, `customEmojiNameTaken`, `builtInEmojiName`, `tooManyCustomEmoji` */
export function decideAddCustomEmoji(
  set: CustomEmojiSet,
  sent: { readonly name: string; readonly image: StoredImage },
  { actor, moment }: ActorAt,
): readonly CustomEmojiEvent[] {
  if (!mayAddCustomEmoji(moment, actor)) throw failure('insufficientPermission');
  const name = customEmojiName(sent.name);
  if (customEmojiNamed(set, name) !== null) throw failure('customEmojiNameTaken');
  if (emojiCode(name) !== undefined && !isAdministrator(actor)) throw failure('builtInEmojiName');
  if (set.emoji.length >= budgets.customEmoji.max) throw failure('tooManyCustomEmoji');
  const { fileName, stored } = sent.image;
  const { name: storageName, contentKey, size } = stored;
  const emojiId = set.emoji.length + 1;
  const data = { emojiId, name, authorId: actor.id, storageName, contentKey, fileName, size };
  return [{ type: 'CustomEmojiAdded', data }];
}

@CommandHandler(AddCustomEmoji)
export class AddCustomEmojiHandler implements ICommandHandler<AddCustomEmoji> {
  constructor(private readonly changes: CustomEmojiChanges) {}

  async execute({ caller, name, image }: AddCustomEmoji): Promise<void> {
    await this.changes.decide(caller, (set, by) => decideAddCustomEmoji(set, { name, image }, by));
  }
}
