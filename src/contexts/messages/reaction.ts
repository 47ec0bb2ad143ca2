import type { CustomEmojiSet } from '../../access/records/custom-emoji.js';
import type { Emoji, EmojiIdentity } from '../../access/emoji.js';

/** How somebody answered a message with an emoji. */
export interface Reaction {
  readonly userId: number;
  readonly emoji: Emoji;
}

/** Who reacts, and with what beside the built-in emoji. */
export interface Reacting {
  readonly userId: number;
  readonly custom: CustomEmojiSet;
}

/** Whether a reaction is with this emoji, under any of its names. */
export function isWith({ emoji }: Reaction, { code, type }: EmojiIdentity): boolean {
  return emoji.code === code && emoji.type === type;
}

/** Without the reaction of this person with this emoji; the others keep their order. */
export function withoutReaction(
  reactions: readonly Reaction[],
  removed: ReactionIdentity,
): readonly Reaction[] {
  return reactions.filter((reaction) => !isReaction(reaction, removed));
}

/** Whose reaction, with which emoji. */
export interface ReactionIdentity {
  readonly userId: number;
  readonly emoji: EmojiIdentity;
}

/** Whether it is the reaction of this person with this emoji. */
export function isReaction(reaction: Reaction, { userId, emoji }: ReactionIdentity): boolean {
  return reaction.userId === userId && isWith(reaction, emoji);
}
