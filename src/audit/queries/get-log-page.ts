import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { Caller } from '../../http/caller.js';
import { failure } from '../../kernel/errors.js';
import { QueryDeadline } from '../../reader-threads/query-deadline.js';
import { EventLog } from '../../stores/event-store/event-log.js';
import type { RecordedEvent } from '../../kernel/event.js';
import type { UnreadableEvent } from '../../stores/event-store/readable-events.js';
import { AuditIndex } from '../log-index/audit-index.js';
import { groupsOf } from '../log-index/groups.js';
import { readIndexedPage } from '../log-index/indexed-page.js';
import type { Direction } from '../log-index/common-entries.js';
import type { LogSelection } from '../log-selection.js';
import { KnownNames } from './known-names.js';
import { readLogPage } from './read-log-page.js';

/** A page of the log in the words of the API, but for its events. */
export interface LogPageEnd {
  /** Where the next page goes on: after it, or before it where the newest came first. */
  readonly position: number | null;
  /** Oldest first: whether the log ends with the page. */
  readonly found_newest?: boolean;
  /** Newest first: whether the log begins with the page. */
  readonly found_oldest?: boolean;
  /** Newest first: behind which position nothing was looked at. */
  readonly newest?: number | null;
}

/** A page of the log in the words of the API. */
export interface ToldLogPage extends LogPageEnd {
  /** JSON text of a list: each event as it was written, and in a `sentence`. */
  readonly events: string;
}

/** How much of the log, and which way. */
export interface LogExtent {
  /** Of events. */
  readonly limit: number;
  readonly direction: Direction;
}

/** Reads a page of the log (GET /audit/log). Whether the caller may, and that they did, was decided and recorded before. */
export class GetLogPage extends Query<ToldLogPage> {
  constructor(
    readonly caller: Caller,
    readonly selection: LogSelection,
    readonly extent: LogExtent,
  ) {
    super();
  }
}

@QueryHandler(GetLogPage)
export class GetLogPageHandler implements IQueryHandler<GetLogPage> {
  constructor(
    private readonly log: EventLog,
    private readonly index: AuditIndex,
    private readonly names: KnownNames,
    private readonly deadline: QueryDeadline,
  ) {}

  /** @throws ApplicationError `auditIndexBehind`, and what the deadline ends it with */
  async execute({ selection, extent }: GetLogPage): Promise<ToldLogPage> {
    const { events, ...page } = await this.read(selection, extent);
    return { ...page, events: await this.told(events) };
  }

  private async read(
    selection: LogSelection,
    { limit, direction }: LogExtent,
  ): Promise<LogPageEnd & { readonly events: readonly (RecordedEvent | UnreadableEvent)[] }> {
    const { log, deadline } = this;
    const isBackwards = direction === 'backwards';
    const { roles, content } = selection;
    const needsIndex = isBackwards || roles !== undefined || content !== undefined;
    const index = needsIndex || groupsOf(selection).length > 0 ? await this.index.open() : null;
    if (index === null) {
      if (needsIndex) throw failure('auditIndexBehind');
      return readLogPage(log, selection, { limit, deadline });
    }
    const { isEnd, events, position, newest } = await readIndexedPage({ log, index, deadline }, selection, {
      limit,
      direction,
    });
    return { events, position, ...(isBackwards ? { found_oldest: isEnd, newest } : { found_newest: isEnd }) };
  }

  private async told(events: readonly (RecordedEvent | UnreadableEvent)[]): Promise<string> {
    const told = await this.names.tell(events, this.deadline);
    return `[${told.map((event) => JSON.stringify(event)).join(',')}]`;
  }
}
