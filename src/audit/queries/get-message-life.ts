import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { Caller } from '../../http/caller.js';
import { ApplicationError, failure } from '../../kernel/errors.js';
import type { RecordedEvent } from '../../kernel/event.js';
import { QueryDeadline } from '../../reader-threads/query-deadline.js';
import { EventLog } from '../../stores/event-store/event-log.js';
import type { UnreadableEvent } from '../../stores/event-store/readable-events.js';
import { AuditIndex } from '../log-index/audit-index.js';
import { foundEvents } from '../log-index/found-events.js';
import { moveTypes, readMessageLife, scannedMoves } from '../message-life.js';
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
    private readonly index: AuditIndex,
    private readonly names: KnownNames,
    private readonly deadline: QueryDeadline,
  ) {}

  /** @throws ApplicationError `invalidMessage`, and what the deadline ends it with */
  async execute({ messageId }: GetMessageLife): Promise<ToldLife> {
    const options = {
      arrivalBefore: () => Promise.resolve(null),
      onStep: () => this.deadline.throwIfOver(),
      movesAfter: (position: number) => this.movesAfter(position),
    };
    const life = await readMessageLife(this.log, messageId, options);
    if (life === null) throw failure('invalidMessage');
    const events = life.steps.map(({ event }) => event);
    return boundedLife(toldLife(life, await this.names.sentencesOf(events, this.deadline)));
  }

  /** By the index, where it is there and not far behind: the log may be long. */
  private async movesAfter(position: number): Promise<readonly (RecordedEvent | UnreadableEvent)[]> {
    const { log, deadline } = this;
    const selection = { types: moveTypes, from: position + 1 };
    const moves: (RecordedEvent | UnreadableEvent)[] = [];
    try {
      for await (const move of foundEvents({ log, index: await this.index.open(), deadline }, selection))
        moves.push(move);
      return moves;
    } catch (error) {
      if (!(error instanceof ApplicationError && error.row === 'auditIndexBehind')) throw error;
      return scannedMoves(log, position, () => deadline.throwIfOver());
    }
  }
}
