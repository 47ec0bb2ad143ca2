import type { IQueryHandler } from '@nestjs/cqrs';
import type { Caller } from '../../http/caller.js';
import { budgets } from '../../kernel/budgets.js';
import { failure } from '../../kernel/errors.js';
import type { RecordedEvent } from '../../kernel/event.js';
import type { QueryDeadline } from '../../reader-threads/query-deadline.js';
import { Query, QueryHandler } from '../../runtime/nest-decorators.js';
import type { EventLog } from '../../stores/event-store/event-log.js';
import type { UnreadableEvent } from '../../stores/event-store/readable-events.js';
import type { Direction } from '../log-index/common-entries.js';
import { groupsOf } from '../log-index/facet-groups.js';
import { readIndexedPage } from '../log-index/indexed-page.js';
import type { LogSelection } from '../log/log-selection.js';
import { movedMessage } from '../past/moved-message.js';
import { PastSources } from '../past/past-sources.js';
import { selectedEvents } from '../log/selected-events.js';
import { withMovedCounts } from './moved-counts.js';

/** A page of the selected events of the log. */
interface LogPage {
  readonly events: readonly (RecordedEvent | UnreadableEvent)[];
  /** Where the next page starts. */
  readonly position: number | null;
  /** Whether the log ends here. */
  readonly found_newest: boolean;
}

/** Maximum number of pages of the log that a request reads, however little it finds. */
const MAX_PAGES = 40;

/** Which part of the log to read for one page. */
interface PageExtent {
  /** Maximum number of events; the page is shorter when they are large: see the budget `logPageCharacters`. */
  readonly limit: number;
  readonly deadline: QueryDeadline;
}

/**
 * Reads one page. The next one starts after its position, even if nothing was found. @throws the error of the deadline
 */
export async function readLogPage(
  log: EventLog,
  selection: LogSelection,
  { limit, deadline }: PageExtent,
): Promise<LogPage> {
  const { from = 0 } = selection;
  const events: (RecordedEvent | UnreadableEvent)[] = [];
  let position = selection.from === undefined ? null : from - 1;
  let pages = 0;
  let characters = 0;
  for await (const page of selectedEvents(log, selection)) {
    deadline.throwIfOver();
    for (const event of page.events) {
      events.push(event);
      characters += JSON.stringify(event).length;
      const isFull = events.length === limit || characters >= budgets.logPageCharacters.max;
      if (isFull) return { events, position: event.position, found_newest: false };
    }
    // Reading may start before the requested range.
    if (page.position < from) continue;
    position = page.position;
    pages += 1;
    if (pages === MAX_PAGES) return { events, position, found_newest: false };
  }
  return { events, position, found_newest: true };
}

/** A page of the log as the API shows it, without its events. */
interface LogPageEnd {
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
interface DescribedLogPage extends LogPageEnd {
  /** JSON text of a list: each event as it was written, with a `sentence`, and how many messages a move took along. */
  readonly events: string;
}

/** Which part of the log to read, and in which direction. */
export interface LogExtent {
  /** Maximum number of events. */
  readonly limit: number;
  readonly direction: Direction;
  /** Whether the events of the reply have their data. */
  readonly withData: boolean;
}

/** Reads a page of the log (GET /audit/log). The caller checks the permission and records the access. */
export class GetLogPage extends Query<DescribedLogPage> {
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
  async execute({ selection, extent }: GetLogPage): Promise<DescribedLogPage> {
    const { events, ...page } = await this.read(selection, extent);
    return { ...page, events: await this.describedEvents(events, extent) };
  }

  private async read(
    selection: LogSelection,
    { limit, direction }: Omit<LogExtent, 'withData'>,
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

  private async describedEvents(
    events: readonly (RecordedEvent | UnreadableEvent)[],
    { withData }: Pick<LogExtent, 'withData'>,
  ): Promise<string> {
    const { names, deadline } = this.sources;
    const shown = await names.describe(await withMovedCounts(events, this.sources), deadline);
    const written = withData ? shown : shown.map(withoutData);
    return `[${written.map((event) => JSON.stringify(event)).join(',')}]`;
  }
}

function withoutData<Event extends object>({ data: _data, ...event }: Event & { readonly data?: unknown }) {
  return event;
}
