import { budgets } from '../../../kernel/budgets.js';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Caller } from '../../../http/caller.js';
import { failure } from '../../../kernel/errors.js';
import type { EventOf } from '../../../kernel/event.js';
import { emojiIdentityOf, emojiOf, type EmojiRequest } from '../../../access/emoji.js';
import type { ReactionAdded } from '../../../events/messages.js';
import { MessageChanges } from '../message-changes.js';
import { AutomaticTopicPolicies } from '../automatic-topic-policies.js';
import type { Message } from '../message.js';
import { isReaction, isWith, type Reacting } from '../reaction.js';

/** The emoji that somebody reacts with; one that is new to the message needs its name. */
export type ReactionRequest = EmojiRequest & { readonly name: string };

/** Answers a message with an emoji (facts, section 5, POST reactions). */
export class AddReaction extends Command<void> {
  constructor(
    readonly caller: Caller,
    readonly messageId: number,
    readonly request: ReactionRequest,
  ) {
    super();
  }
}

/**
 * Whoever reacts with an emoji that the message has already joins in, under the name that it was first given.
 *
 * @throws ApplicationError `reactionAlreadyExists`; and for an emoji that does not exist, or that name and code contradict
 */
export function decideAddReaction(
  message: Message,
  request: ReactionRequest,
  { userId, custom }: Reacting,
): readonly EventOf<typeof ReactionAdded>[] {
  if (message.isDeleted) throw failure('invalidMessage');
  const sought = emojiIdentityOf(request, custom);
  if (message.reactions.some((reaction) => isReaction(reaction, { userId, emoji: sought }))) {
    throw failure('reactionAlreadyExists');
  }
  const emoji =
    message.reactions.find((reaction) => isWith(reaction, sought))?.emoji ?? emojiOf(request, custom);
  if (message.reactions.length >= budgets.reactions.max) throw failure('tooManyReactions');
  return [{ type: 'ReactionAdded', data: { messageId: message.id, userId, emoji } }];
}

@CommandHandler(AddReaction)
export class AddReactionHandler implements ICommandHandler<AddReaction> {
  constructor(
    private readonly changes: MessageChanges,
    private readonly topicPolicies: AutomaticTopicPolicies,
  ) {}

  async execute({ caller, messageId, request }: AddReaction): Promise<void> {
    const appended = await this.changes.apply(caller, { messageId }, (message, { actor, moment }) =>
      decideAddReaction(message, request, { userId: actor.id, custom: moment.directory.customEmoji }),
    );
    for (const event of appended)
      if (event.type === 'ReactionAdded') await this.topicPolicies.afterTakingPart(event);
  }
}
