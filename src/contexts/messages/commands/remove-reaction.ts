import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Caller } from '../../../http/caller.js';
import { failure } from '../../../kernel/errors.js';
import type { EventOf } from '../../../kernel/event.js';
import { emojiIdentityOf, type EmojiRequest } from '../../../access/emoji.js';
import type { ReactionRemoved } from '../../../events/messages.js';
import { MessageChanges } from '../message-changes.js';
import type { Message } from '../message.js';
import { isReaction, type Reacting } from '../reaction.js';

/** Takes back a reaction (facts, section 5, DELETE reactions: by code or by name). */
export class RemoveReaction extends Command<void> {
  constructor(
    readonly caller: Caller,
    readonly messageId: number,
    readonly request: EmojiRequest,
  ) {
    super();
  }
}

/** @throws ApplicationError `reactionDoesNotExist`; and for a request without an emoji, or with an unknown one */
export function decideRemoveReaction(
  message: Message,
  request: EmojiRequest,
  { userId, custom }: Reacting,
): readonly EventOf<typeof ReactionRemoved>[] {
  if (message.isDeleted) throw failure('invalidMessage');
  const removed = { userId, emoji: emojiIdentityOf(request, custom) };
  const reaction = message.reactions.find((one) => isReaction(one, removed));
  if (reaction === undefined) throw failure('reactionDoesNotExist');
  return [{ type: 'ReactionRemoved', data: { messageId: message.id, userId, emoji: reaction.emoji } }];
}

@CommandHandler(RemoveReaction)
export class RemoveReactionHandler implements ICommandHandler<RemoveReaction> {
  constructor(private readonly changes: MessageChanges) {}

  async execute({ caller, messageId, request }: RemoveReaction): Promise<void> {
    await this.changes.apply(caller, { messageId }, (message, { actor, moment }) =>
      decideRemoveReaction(message, request, { userId: actor.id, custom: moment.directory.customEmoji }),
    );
  }
}
