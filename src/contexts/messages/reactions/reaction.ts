import type { CustomEmojiSet } from '../../../access/records/custom-emoji.js';
import type { Emoji, EmojiIdentity } from '../../../access/emoji.js';

/** An emoji reaction to a message. */
export interface Reaction {
  readonly userId: number;
  readonly emoji: Emoji;
}

/** The person who reacts, and what an emoji is looked up in. */
export interface Reacting {
  readonly userId: number;
  readonly custom: CustomEmojiSet;
}

/** Whether a reaction has this emoji, under any of its names. */
export function isWith({ emoji }: Reaction, { code, type }: EmojiIdentity): boolean {
  return emoji.code === code && emoji.type === type;
}

/** The reactions without that of this person with this emoji, in their order. */
export function withoutReaction(
  reactions: readonly Reaction[],
  removed: ReactionIdentity,
): readonly Reaction[] {
  return reactions.filter((reaction) => !isReaction(reaction, removed));
}

/** Identifies a reaction: its person and its emoji. */
interface ReactionIdentity {
  readonly userId: number;
  readonly emoji: EmojiIdentity;
}

/** Whether it is the reaction of this person with this emoji. */
export function isReaction(reaction: Reaction, { userId, emoji }: ReactionIdentity): boolean {
  return reaction.userId === userId && isWith(reaction, emoji);
}
