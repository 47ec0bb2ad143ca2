import type { CustomEmojiEvent } from '../../events/custom-emoji.js';
import type { ClientEvent } from '../../realtime/client-event.js';
import type { InitialState } from '../../realtime/initial-state.js';
import type { AddressedEvent, MapperContext, Mappers } from '../../realtime/mapper.js';
import { customEmojiObject, customEmojiObjects } from './emoji.replies.js';

/** The organization's own emoji. */
export const customEmojiState: InitialState = {
  realm_emoji: ({ snapshot: { directory } }) => ({ realm_emoji: customEmojiObjects(directory.customEmoji) }),
};

/**
 * Client events about custom emoji: only the change for clients with that capability, the complete list for
 * older ones.
 */
export const customEmojiMappers: Mappers<CustomEmojiEvent> = {
  CustomEmojiAdded: {
    clientEvents: ({ data }, context) => {
      const emoji = customEmojiObject({ ...data, isDeactivated: false });
      return emojiEvent(context, { type: 'realm_emoji', op: 'add', emoji });
    },
  },
  CustomEmojiDeactivated: {
    clientEvents: ({ data: { emojiId } }, context) =>
      emojiEvent(context, {
        type: 'realm_emoji',
        op: 'update_one',
        emoji_id: String(emojiId),
        data: { deactivated: true },
      }),
  },
};

function emojiEvent(
  { snapshot: { directory } }: MapperContext,
  change: ClientEvent,
): readonly AddressedEvent[] {
  const all = { type: 'realm_emoji', op: 'update', realm_emoji: customEmojiObjects(directory.customEmoji) };
  return [
    {
      to: 'everyone',
      event: ({ options }) => (options.capabilities.individual_emoji_changes ? change : all),
    },
  ];
}
