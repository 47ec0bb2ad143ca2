import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { Caller } from '../../http/caller.js';
import { failure } from '../../kernel/errors.js';
import { readMessageLife } from '../message-life.js';
import { movesOf } from '../past/message-moves.js';
import { PastSources } from '../past/past-sources.js';
import { boundedLife, describedLife, type DescribedLife } from '../described-life.js';

/** Reads the history of a message. The caller checks the permission and records the access. */
export class GetMessageLife extends Query<DescribedLife> {
  constructor(
    readonly caller: Caller,
    readonly messageId: number,
  ) {
    super();
  }
}

@QueryHandler(GetMessageLife)
export class GetMessageLifeHandler implements IQueryHandler<GetMessageLife> {
  constructor(private readonly sources: PastSources) {}

  /** @throws ApplicationError `invalidMessage`; the error of the deadline */
  async execute({ messageId }: GetMessageLife): Promise<DescribedLife> {
    const { log, names, deadline } = this.sources;
    const moves = await movesOf(this.sources, messageId);
    const life = await readMessageLife(log, messageId, { ...moves, onStep: () => deadline.throwIfOver() });
    if (life === null) throw failure('invalidMessage');
    const events = life.steps.map(({ event }) => event);
    return boundedLife(describedLife(life, await names.sentencesOf(events, deadline)));
  }
}
