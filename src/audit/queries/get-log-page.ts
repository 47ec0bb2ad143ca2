import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { Caller } from '../../http/caller.js';
import { QueryDeadline } from '../../reader-threads/query-deadline.js';
import { EventLog } from '../../stores/event-store/event-log.js';
import type { LogSelection } from '../log-selection.js';
import { KnownNames } from './known-names.js';
import { readLogPage, type LogPage } from './read-log-page.js';

/** A page of the log in the words of the API. */
export interface ToldLogPage extends Omit<LogPage, 'events'> {
  /** JSON text of a list: each event as it was written, and in a `sentence`. */
  readonly events: string;
}

/** Reads a page of the log (GET /audit/log). Whether the caller may, and that they did, was decided and recorded before. */
export class GetLogPage extends Query<ToldLogPage> {
  constructor(
    readonly caller: Caller,
    readonly selection: LogSelection,
    /** Of events. */
    readonly limit: number,
  ) {
    super();
  }
}

@QueryHandler(GetLogPage)
export class GetLogPageHandler implements IQueryHandler<GetLogPage> {
  constructor(
    private readonly log: EventLog,
    private readonly names: KnownNames,
    private readonly deadline: QueryDeadline,
  ) {}

  /** @throws what the deadline ends it with */
  async execute({ selection, limit }: GetLogPage): Promise<ToldLogPage> {
    const page = await readLogPage(this.log, selection, { limit, deadline: this.deadline });
    const events = await this.names.tell(page.events, this.deadline);
    return { ...page, events: `[${events.map((event) => JSON.stringify(event)).join(',')}]` };
  }
}
