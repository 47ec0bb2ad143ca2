import { budgets } from '../../../kernel/budgets.js';
import { failure } from '../../../kernel/errors.js';
import type { EventOf } from '../../../kernel/event.js';
import {
  emojiIdentityOf,
  emojiOf,
  namedEmojiIdentityOf,
  type EmojiRequest,
  type NamedEmojiRequest,
} from '../../../access/emoji.js';
import type { ReactionAdded, ReactionRemoved } from '../../../events/messages.js';
import type { Message } from '../message.state.js';
import { isReaction, isWith, type Reacting } from './reaction.js';

/**
 * A person who reacts with an emoji that the message already has joins under the name that it was first
 * given.
 *
 * @throws ApplicationError `reactionAlreadyExists`; and for an emoji that does not exist, or whose name and
 * code contradict each other
 */
export function decideAddReaction(
  message: Message,
  request: NamedEmojiRequest,
  { userId, custom }: Reacting,
): readonly EventOf<typeof ReactionAdded>[] {
  if (message.isDeleted) throw failure('invalidMessage');
  const sought = namedEmojiIdentityOf(request, custom);
  if (message.reactions.some((reaction) => isReaction(reaction, { userId, emoji: sought }))) {
    throw failure('reactionAlreadyExists');
  }
  const emoji =
    message.reactions.find((reaction) => isWith(reaction, sought))?.emoji ?? emojiOf(request, custom);
  if (message.reactions.length >= budgets.reactions.max) throw failure('tooManyReactions');
  return [{ type: 'ReactionAdded', data: { messageId: message.id, userId, emoji } }];
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
