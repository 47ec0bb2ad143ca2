import { type CustomEmojiObject, customEmojiObjects } from '../emoji.replies.js';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { DirectoryFollower } from '../../../access/directory-follower.js';

/** The organization's own emoji by id (`GET /realm/emoji`). */
export class GetCustomEmoji extends Query<Readonly<Record<string, CustomEmojiObject>>> {}

@QueryHandler(GetCustomEmoji)
export class GetCustomEmojiHandler implements IQueryHandler<GetCustomEmoji> {
  constructor(private readonly follower: DirectoryFollower) {}

  execute(): Promise<Readonly<Record<string, CustomEmojiObject>>> {
    return Promise.resolve(customEmojiObjects(this.follower.current().customEmoji));
  }
}
