/** The namespaces of emoji codes. */
export const emojiTypes = ['unicode_emoji', 'realm_emoji', 'service_extra_emoji'] as const;
export type EmojiType = (typeof emojiTypes)[number];
