/** In which namespace an emoji's code is to be read (specification, "Reaction"). */
export const emojiTypes = ['unicode_emoji', 'realm_emoji', 'service_extra_emoji'] as const;
export type EmojiType = (typeof emojiTypes)[number];
