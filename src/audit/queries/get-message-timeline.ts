import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { Caller } from '../../http/caller.js';
import { failure } from '../../kernel/errors.js';
import { readMessageTimeline } from '../message-timeline.js';
import { movesOf } from '../past/message-moves.js';
import { PastSources } from '../past/past-sources.js';
import { boundedTimeline, describedTimeline, type DescribedTimeline } from '../described-timeline.js';

/** Reads the history of a message. The caller checks the permission and records the access. */
export class GetMessageTimeline extends Query<DescribedTimeline> {
  constructor(
    readonly caller: Caller,
    readonly messageId: number,
  ) {
    super();
  }
}

@QueryHandler(GetMessageTimeline)
export class GetMessageTimelineHandler implements IQueryHandler<GetMessageTimeline> {
  constructor(private readonly sources: PastSources) {}

  /** @throws ApplicationError `invalidMessage`; the error of the deadline */
  async execute({ messageId }: GetMessageTimeline): Promise<DescribedTimeline> {
    const { log, names, deadline } = this.sources;
    const moves = await movesOf(this.sources, messageId);
    const life = await readMessageTimeline(log, messageId, {
      ...moves,
      onStep: () => deadline.throwIfOver(),
    });
    if (life === null) throw failure('invalidMessage');
    const events = life.steps.map(({ event }) => event);
    return boundedTimeline(describedTimeline(life, await names.sentencesOf(events, deadline)));
  }
}
