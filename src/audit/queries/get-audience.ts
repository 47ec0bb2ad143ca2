import type { IQueryHandler } from '@nestjs/cqrs';
import type { Caller } from '../../http/caller.js';
import { failure } from '../../kernel/errors.js';
import type { PastMoment } from '../moment.js';
import { audienceOf, readersIn, shownMember, type ShownMember } from '../past/audience.js';
import { resolveMoment } from '../past/conversation/past-conversation-view.js';
import { PastSources } from '../past/past-sources.js';
import { Query, QueryHandler } from '../../runtime/nest-decorators.js';

/** Which message, at which moment, and which page of its audience. */
interface AudiencePage {
  readonly messageId: number;
  readonly at: PastMoment;
  /** Only people who had read it. */
  readonly readersOnly: boolean;
  /** Only accounts with greater ids. */
  readonly after: number;
  readonly limit: number;
}

/** An audience as the API shows it. */
interface DescribedAudience {
  readonly message_id: number;
  readonly as_of: { readonly position: number; readonly time: number };
  /** Size of the whole audience. */
  readonly count: number;
  /** In ascending order of ids. */
  readonly people: readonly ShownMember[];
  /** The id after which the next page starts; null: there are no more. */
  readonly after: number | null;
}

/**
 * Lists who could see a message at a moment, or had read it. The caller checks the permission and records the access.
 */
export class GetAudience extends Query<DescribedAudience> {
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

  /**
   * @throws ApplicationError `invalidMessage`, and like {@link resolveMoment} and {@link audienceOf}; the error of the
   * deadline
   */
  async execute({
    page: { messageId, at: moment, readersOnly, after, limit },
  }: GetAudience): Promise<DescribedAudience> {
    const at = await resolveMoment(this.sources, moment);
    const audience = await audienceOf(this.sources, messageId, at);
    if (audience === null) throw failure('invalidMessage');
    const members = readersOnly ? readersIn(audience) : audience;
    const following = members.filter(({ userId }) => userId > after);
    const shown = following.slice(0, limit);
    return {
      message_id: messageId,
      as_of: { position: at.position, time: at.now },
      count: members.length,
      people: shown.map(shownMember),
      after: following.length > shown.length ? shown.at(-1)!.userId : null,
    };
  }
}
