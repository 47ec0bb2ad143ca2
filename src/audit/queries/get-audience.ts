import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { Caller } from '../../http/caller.js';
import { failure } from '../../kernel/errors.js';
import type { PastMoment } from '../moment.js';
import { audienceOf, readersIn, type AudienceMember } from '../past/audience.js';
import { pastPlace } from '../past/conversation/past-scene.js';
import { PastSources } from '../past/past-sources.js';

/** Whose audience is asked for, and when. */
export interface AudiencePage {
  readonly messageId: number;
  readonly at: PastMoment;
  /** Whether only those count who had read it. */
  readonly readersOnly: boolean;
  /** Only accounts with greater ids. */
  readonly after: number;
  readonly limit: number;
}

/** An audience in the words of the API. */
export interface ToldAudience {
  readonly message_id: number;
  readonly as_of: { readonly position: number; readonly time: number };
  /** How many there were in all. */
  readonly count: number;
  /** By their ids, rising. */
  readonly people: readonly {
    readonly user_id: number;
    readonly full_name: string | null;
    readonly access: AudienceMember['access'];
    readonly has_read: boolean;
    readonly is_sender: boolean;
  }[];
  /** After which id the next page goes on; null: nobody is missing. */
  readonly after: number | null;
}

/** Tells who could see a message at a moment, or had read it. Whether the caller may, and that they did, was decided and recorded before. */
export class GetAudience extends Query<ToldAudience> {
  constructor(
    readonly caller: Caller,
    readonly page: AudiencePage,
  ) {
    super();
  }
}

@QueryHandler(GetAudience)
export class GetAudienceHandler implements IQueryHandler<GetAudience> {
  constructor(private readonly sources: PastSources) {}

  /** @throws ApplicationError `invalidMessage`, as {@link pastPlace} and {@link audienceOf}, and what the deadline ends it with */
  async execute({
    page: { messageId, at: moment, readersOnly, after, limit },
  }: GetAudience): Promise<ToldAudience> {
    const at = await pastPlace(this.sources, moment);
    const audience = await audienceOf(this.sources, messageId, at);
    if (audience === null) throw failure('invalidMessage');
    const members = readersOnly ? readersIn(audience) : audience;
    const following = members.filter(({ userId }) => userId > after);
    const shown = following.slice(0, limit);
    return {
      message_id: messageId,
      as_of: { position: at.position, time: at.now },
      count: members.length,
      people: shown.map(({ userId, name, access, hasRead, isSender }) => ({
        user_id: userId,
        full_name: name,
        access,
        has_read: hasRead,
        is_sender: isSender,
      })),
      after: following.length > shown.length ? shown.at(-1)!.userId : null,
    };
  }
}
