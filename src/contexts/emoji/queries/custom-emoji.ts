import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { DirectoryFollower } from '../../../access/directory-follower.js';
import {
  customEmojiUrl,
  type CustomEmoji,
  type CustomEmojiSet,
} from '../../../access/records/custom-emoji.js';
import type { CustomEmojiObject } from '../emoji.replies.js';

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

/** The organization's own emoji by id (`GET /realm/emoji`). */
export class GetCustomEmoji extends Query<Readonly<Record<string, CustomEmojiObject>>> {}

@QueryHandler(GetCustomEmoji)
export class GetCustomEmojiHandler implements IQueryHandler<GetCustomEmoji> {
  constructor(private readonly follower: DirectoryFollower) {}

  execute(): Promise<Readonly<Record<string, CustomEmojiObject>>> {
    return Promise.resolve(customEmojiObjects(this.follower.current().customEmoji));
  }
}
