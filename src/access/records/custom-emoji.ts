import type { Fold } from '../../kernel/fold.js';
import type { EventOf, RecordedEvent } from '../../kernel/event.js';
import { unreachable } from '../../kernel/json.js';
import { stream } from '../../kernel/decision.js';
import { ORGANIZATION_NUMBER } from '../../kernel/api-constants.js';
import type { CustomEmojiAdded, CustomEmojiEvent } from '../../events/custom-emoji.js';

/** The stream with the organization's own emoji. */
export const CUSTOM_EMOJI_STREAM = 'custom-emoji';

/** An emoji of the organization's own. */
export type CustomEmoji = EventOf<typeof CustomEmojiAdded>['data'] & { readonly isDeactivated: boolean };

/** The organization's own emoji, oldest first. */
export type CustomEmojiSet = { readonly emoji: readonly CustomEmoji[] };

/** The initial state, without emoji. */
export const noCustomEmoji: CustomEmojiSet = { emoji: [] };

/** Folds the stream of the custom emoji. */
export const customEmojiFold: Fold<CustomEmojiSet, RecordedEvent<CustomEmojiEvent>> = {
  snapshot: { name: 'custom-emoji', version: 1 },
  initial: noCustomEmoji,
  evolve({ emoji }, event) {
    switch (event.type) {
      case 'CustomEmojiAdded':
        return { emoji: [...emoji, { ...event.data, isDeactivated: false }] };
      case 'CustomEmojiDeactivated': {
        const { emojiId } = event.data;
        return {
          emoji: emoji.map((one) => (one.emojiId === emojiId ? { ...one, isDeactivated: true } : one)),
        };
      }
      default:
        return unreachable(event);
    }
  },
};

/** The stream of the custom emoji, for decisions about them. */
export const foldedCustomEmoji = stream(CUSTOM_EMOJI_STREAM, customEmojiFold);

/** The active emoji with a name. */
export function customEmojiNamed({ emoji }: CustomEmojiSet, name: string): CustomEmoji | null {
  return emoji.find((one) => one.name === name && !one.isDeactivated) ?? null;
}

/** The emoji with an id, deactivated ones included. */
export function customEmojiWithId({ emoji }: CustomEmojiSet, id: string): CustomEmoji | null {
  return emoji.find(({ emojiId }) => String(emojiId) === id) ?? null;
}

/** Path below which images of emoji are served. */
export const EMOJI_IMAGES_PATH = `/user_avatars/${ORGANIZATION_NUMBER}/emoji/images/`;

/** The address of an emoji's image. */
export function customEmojiUrl({ fileName }: Pick<CustomEmoji, 'fileName'>): string {
  return EMOJI_IMAGES_PATH + fileName;
}
