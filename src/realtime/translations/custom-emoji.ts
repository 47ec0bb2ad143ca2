import { customEmojiObject, customEmojiObjects } from '../../emoji/custom-emoji-object.js';
import type { CustomEmojiEvent } from '../../emoji/events.js';
import type { ClientEvent } from '../client-event.js';
import type { Notice, Scene, Translations } from '../translation.js';

/** The organization's own emoji: what changed for clients that say so, and all of them for older ones. */
export const customEmojiTranslations: Translations<CustomEmojiEvent> = {
  CustomEmojiAdded: {
    notices: ({ data }, scene) => {
      const emoji = customEmojiObject({ ...data, isDeactivated: false });
      return emojiNotice(scene, { type: 'realm_emoji', op: 'add', emoji });
    },
  },
  CustomEmojiDeactivated: {
    notices: ({ data: { emojiId } }, scene) =>
      emojiNotice(scene, {
        type: 'realm_emoji',
        op: 'update_one',
        emoji_id: String(emojiId),
        data: { deactivated: true },
      }),
  },
};

function emojiNotice({ moment: { directory } }: Scene, change: ClientEvent): readonly Notice[] {
  const all = { type: 'realm_emoji', op: 'update', realm_emoji: customEmojiObjects(directory.customEmoji) };
  return [
    {
      to: 'everyone',
      event: ({ options }) => (options.capabilities.individual_emoji_changes ? change : all),
    },
  ];
}
