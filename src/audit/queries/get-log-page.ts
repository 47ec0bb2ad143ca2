import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { Caller } from '../../http/caller.js';
import { failure } from '../../kernel/errors.js';
import type { RecordedEvent } from '../../kernel/event.js';
import type { UnreadableEvent } from '../../stores/event-store/readable-events.js';
import { groupsOf } from '../log-index/groups.js';
import { readIndexedPage } from '../log-index/indexed-page.js';
import type { Direction } from '../log-index/common-entries.js';
import type { LogSelection } from '../log-selection.js';
import { movedMessage } from '../past/moved-message.js';
import { PastSources } from '../past/past-sources.js';
import { readLogPage } from './read-log-page.js';

/** A page of the log as the API shows it, without its events. */
export interface LogPageEnd {
  /** Where the next page starts: after this position, or before it when the newest come first. */
  readonly position: number | null;
  /** Oldest first: whether the log ends with the page. */
  readonly found_newest?: boolean;
  /** Newest first: whether the log begins with the page. */
  readonly found_oldest?: boolean;
  /** Newest first: the position after which nothing was looked at. */
  readonly newest?: number | null;
}

/** A page of the log as the API shows it. */
export interface ToldLogPage extends LogPageEnd {
  /** JSON text of a list: each event as it was written, with a `sentence`. */
  readonly events: string;
}

/** Which part of the log to read, and in which direction. */
export interface LogExtent {
  /** Maximum number of events. */
  readonly limit: number;
  readonly direction: Direction;
}

/** Reads a page of the log (GET /audit/log). The caller checks the permission and records the access. */
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
  constructor(private readonly sources: PastSources) {}

  /** @throws ApplicationError `auditIndexBehind`; the error of the deadline */
  async execute({ selection, extent }: GetLogPage): Promise<ToldLogPage> {
    const { events, ...page } = await this.read(selection, extent);
    return { ...page, events: await this.told(events) };
  }

  private async read(
    selection: LogSelection,
    { limit, direction }: LogExtent,
  ): Promise<LogPageEnd & { readonly events: readonly (RecordedEvent | UnreadableEvent)[] }> {
    const { log, deadline } = this.sources;
    const isBackwards = direction === 'backwards';
    const { roles, content, messageId } = selection;
    const needsIndex = isBackwards || roles !== undefined || content !== undefined;
    const index = needsIndex || groupsOf(selection).length > 0 ? await this.sources.index.open() : null;
    const moved = messageId === undefined ? null : await movedMessage(this.sources, messageId);
    if (index === null) {
      if (needsIndex) throw failure('auditIndexBehind');
      const movedAt = new Set(await moved?.all());
      return readLogPage(log, { ...selection, movedAt }, { limit, deadline });
    }
    const indexed = { log, index, deadline, ...(moved !== null && { moved }) };
    const extent = { limit, direction };
    const { isEnd, events, position, newest } = await readIndexedPage(indexed, selection, extent);
    return { events, position, ...(isBackwards ? { found_oldest: isEnd, newest } : { found_newest: isEnd }) };
  }

  private async told(events: readonly (RecordedEvent | UnreadableEvent)[]): Promise<string> {
    const told = await this.sources.names.tell(events, this.sources.deadline);
    return `[${told.map((event) => JSON.stringify(event)).join(',')}]`;
  }
}
