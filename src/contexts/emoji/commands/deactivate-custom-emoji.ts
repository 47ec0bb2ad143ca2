import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Caller } from '../../../http/caller.js';
import { failure } from '../../../kernel/errors.js';
import type { ActorAt } from '../../users/decisions.js';
import { isAdministrator } from '../../../access/records/roles.js';
import { CustomEmojiChanges } from '../custom-emoji-changes.js';
import { customEmojiNamed, type CustomEmojiSet } from '../../../access/records/custom-emoji.js';
import type { CustomEmojiEvent } from '../../../events/custom-emoji.js';

/** Takes an emoji of the organization's own out of use (facts, section 5, realm/emoji). */
export class DeactivateCustomEmoji extends Command<void> {
  constructor(
    readonly caller: Caller,
    readonly name: string,
  ) {
    super();
  }
}

/** @throws ApplicationError `noSuchCustomEmoji`; `insufficientPermission` unless its author or an administrator asks */
export function decideDeactivateCustomEmoji(
  set: CustomEmojiSet,
  name: string,
  { actor }: Pick<ActorAt, 'actor'>,
): readonly CustomEmojiEvent[] {
  const emoji = customEmojiNamed(set, name);
  if (emoji === null) throw failure('noSuchCustomEmoji', { reason: name });
  if (emoji.authorId !== actor.id && !isAdministrator(actor)) throw failure('insufficientPermission');
  return [{ type: 'CustomEmojiDeactivated', data: { emojiId: emoji.emojiId } }];
}

@CommandHandler(DeactivateCustomEmoji)
export class DeactivateCustomEmojiHandler implements ICommandHandler<DeactivateCustomEmoji> {
  constructor(private readonly changes: CustomEmojiChanges) {}

  async execute({ caller, name }: DeactivateCustomEmoji): Promise<void> {
    await this.changes.decide(caller, (set, by) => decideDeactivateCustomEmoji(set, name, by));
  }
}
