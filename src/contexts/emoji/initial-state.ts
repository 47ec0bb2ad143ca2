import type { InitialState } from '../../realtime/initial-state.js';
import { customEmojiObjects } from './custom-emoji-object.js';

/** The organization's own emoji. */
export const customEmojiState: InitialState = {
  realm_emoji: ({ snapshot: { directory } }) => ({ realm_emoji: customEmojiObjects(directory.customEmoji) }),
};
