import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { Caller } from '../../http/caller.js';
import { failure } from '../../kernel/errors.js';
import { QueryDeadline } from '../../reader-threads/query-deadline.js';
import { EventLog } from '../../stores/event-store/event-log.js';
import { readMessageLife } from '../message-life.js';
import { boundedLife, toldLife, type ToldLife } from '../told-life.js';
import { KnownNames } from './known-names.js';

/** Reads the whole life of a message. Whether the caller may, and that they did, was decided and recorded before. */
export class GetMessageLife extends Query<ToldLife> {
  constructor(
    readonly caller: Caller,
    readonly messageId: number,
  ) {
    super();
  }
}

@QueryHandler(GetMessageLife)
export class GetMessageLifeHandler implements IQueryHandler<GetMessageLife> {
  constructor(
    private readonly log: EventLog,
    private readonly names: KnownNames,
    private readonly deadline: QueryDeadline,
  ) {}

  /** @throws ApplicationError `invalidMessage`, and what the deadline ends it with */
  async execute({ messageId }: GetMessageLife): Promise<ToldLife> {
    const options = { arrivalBefore: () => Promise.resolve(null), onStep: () => this.deadline.throwIfOver() };
    const life = await readMessageLife(this.log, messageId, options);
    if (life === null) throw failure('invalidMessage');
    const events = life.steps.map(({ event }) => event);
    return boundedLife(toldLife(life, await this.names.sentencesOf(events, this.deadline)));
  }
}
