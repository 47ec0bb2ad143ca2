import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { Directory } from '../../../access/directory.js';
import type { Emoji } from '../../../access/emoji.js';
import type { EmojiType } from '../../../events/custom-emoji.js';
import type { Caller } from '../../../http/caller.js';
import { Decisions } from '../../../http/decisions.js';
import { failure } from '../../../kernel/errors.js';
import { KnownPeople } from '../../../access/known-people.js';
import type { StatusObject } from '../client-schemas.js';

interface EmojiFields {
  readonly emoji_name: string;
  readonly emoji_code: string;
  readonly reaction_type: EmojiType;
}

/** A person's status formatted for the API, without empty parts. */
export function statusObject({ settings, statuses }: Directory, userId: number): StatusObject {
  const { text = '', emoji = null } = statuses.get(userId) ?? {};
  return {
    ...(settings.value(userId, 'presence_enabled') ? {} : { away: true }),
    ...(text === '' ? {} : { status_text: text }),
    ...(emoji === null ? {} : emojiFields(emoji)),
  };
}

const noEmoji = { name: '', code: '', type: 'unicode_emoji' } as const;

/**
 * An emoji formatted for the API. No emoji has an empty name and code, and the type that clients expect then.
 */
export function emojiFields(emoji: Emoji | null): EmojiFields {
  const { name, code, type } = emoji ?? noEmoji;
  return { emoji_name: name, emoji_code: code, reaction_type: type };
}

/** Reads a person's status. */
export class GetStatus extends Query<StatusObject> {
  constructor(
    readonly caller: Pick<Caller, 'userId'>,
    readonly userId: number,
  ) {
    super();
  }
}

@QueryHandler(GetStatus)
export class GetStatusHandler implements IQueryHandler<GetStatus> {
  constructor(
    private readonly decisions: Decisions,
    private readonly people: KnownPeople,
  ) {}

  /**
   * @throws ApplicationError `noSuchUser`, also for others that are bots, deactivated or unknown to the
   * caller
   */
  async execute({ caller, userId }: GetStatus): Promise<StatusObject> {
    const snapshot = this.decisions.snapshot();
    const { directory } = snapshot;
    if (userId !== caller.userId) {
      const user = directory.user(userId);
      const knows = await this.people.predicateFor(this.decisions.actor(caller).user, snapshot);
      if (user?.isActive !== true || user.bot !== null || !knows(user)) throw failure('noSuchUser');
    }
    return statusObject(directory, userId);
  }
}
