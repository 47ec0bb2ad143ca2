import { z } from 'zod';
import { type Described, id, named } from '../../http/replies/common-schemas.js';
import { clientEvent } from '../../realtime/client-event-schema.js';
import { type CustomEmoji, customEmojiUrl, type CustomEmojiSet } from '../../access/records/custom-emoji.js';

/** A custom emoji in the API. */
const customEmojiSchema = named(
  'CustomEmoji',
  z.strictObject({
    id: z.string(),
    name: z.string(),
    source_url: z.string(),
    still_url: z.null().describe('Always null: the server makes no still images of animated ones'),
    deactivated: z.boolean(),
    author_id: id,
  }),
);

/** Type of {@link customEmojiSchema}. */
export type CustomEmojiObject = Described<typeof customEmojiSchema>;

const byId = z.record(z.string(), customEmojiSchema);

/** Answered by `GET realm/emoji`. */
export const customEmojiReply = { emoji: byId };

/** Answered by `GET /static/emoji.json`. */
export const emojiNamesReply = {
  code_to_names: z
    .record(z.string(), z.array(z.string()))
    .describe('The names of every Unicode emoji, by its code'),
};

/**
 * Schemas of the client events: only the change for clients with that capability, the complete list for older
 * ones.
 */
export const customEmojiEventSchemas = [
  clientEvent('realm_emoji', 'update', { realm_emoji: byId }),
  clientEvent('realm_emoji', 'add', { emoji: customEmojiSchema }),
  clientEvent('realm_emoji', 'update_one', {
    emoji_id: z.string(),
    data: z.strictObject({ deactivated: z.boolean() }),
  }),
];

/** Schemas of the initial state about custom emoji. */
export const customEmojiStateFields = { realm_emoji: byId.optional() } as const;

/** Formats a custom emoji for the API. */
export function customEmojiObject(emoji: CustomEmoji): CustomEmojiObject {
  return {
    id: String(emoji.emojiId),
    name: emoji.name,
    source_url: customEmojiUrl(emoji),
    still_url: null,
    deactivated: emoji.isDeactivated,
    author_id: emoji.authorId,
  };
}

/** All custom emoji by id, deactivated ones included. */
export function customEmojiObjects({ emoji }: CustomEmojiSet): Readonly<Record<string, CustomEmojiObject>> {
  return Object.fromEntries(emoji.map((one) => [String(one.emojiId), customEmojiObject(one)]));
}
