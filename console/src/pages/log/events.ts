import {
  useInfiniteQuery,
  useQueryClient,
  type InfiniteData,
  type UseInfiniteQueryResult,
} from '@tanstack/react-query';
import type { ApiError, Parameters } from '../../api/client.js';
import { useSession, type Session } from '../../api/session.js';
import { readOnce } from '../../api/use-api.js';

/** An event in a reply of `GET audit/log`. */
export interface LoggedEvent {
  readonly position: number;
  readonly type: string;
  readonly stream: string;
  readonly revision: number;
  /** Null: it is not readable. */
  readonly sentence: string | null;
  /** Why it is not readable; absent: it is. */
  readonly unreadable?: string;
  readonly metadata: { readonly actorId?: number | null; readonly at?: number; readonly client?: string };
}

/** What the table shows of an event: what is stored of it, which may be long, is read again when somebody asks for it. */
export interface EventRow {
  readonly position: number;
  readonly type: string;
  readonly what: string;
  readonly at?: number;
}

/** Takes from an event what the table shows. */
export function rowOf(event: LoggedEvent): EventRow {
  const { position, type, sentence, metadata } = event;
  const what = sentence === null ? `(unreadable) ${whatHappened(event)}` : whatHappened(event);
  return { position, type, what, ...(metadata.at !== undefined && { at: metadata.at }) };
}

/** The sentence about an event, or why it is not readable. */
export function whatHappened({ sentence, unreadable }: LoggedEvent): string {
  return sentence ?? unreadable ?? '';
}

interface NewestFirst {
  readonly events: readonly LoggedEvent[];
  readonly position: number | null;
  readonly found_oldest: boolean;
  readonly newest: number | null;
}

/** A page of the log that the API returns, unless the newest events are requested first. */
export interface OldestFirst {
  readonly events: readonly LoggedEvent[];
  /** The position after which the next page begins. */
  readonly position: number | null;
  readonly found_newest: boolean;
}

/** A part of the log. */
export interface EventPage {
  /** Newest first. */
  readonly events: readonly EventRow[];
  /** Earlier pages are before this position; null: there are none. */
  readonly before: number | null;
  /** Later pages are after this position; null: not known. */
  readonly after: number | null;
  /** Whether it was the newest when it was read. */
  readonly isNewest: boolean;
}

/** Where a page is: the first one, or before or after a position. */
type Place = 'first' | { readonly before: number } | { readonly after: number };

type Pages = InfiniteData<EventPage, Place>;

/** Which events are read. */
export interface EventSelection {
  /** Of the API, such as `audit/log`. */
  readonly path: string;
  readonly filters: Parameters;
  /** The time or position at which the first page begins; empty: the newest event. */
  readonly at: string;
}

/** Enough to fill the screen, so that the first events appear quickly. */
const PAGE = 60;

/** Maximum number of events that are kept: beyond it, each page that is read drops one at the other end. */
const MAX_KEPT = 3_000;

/** The key under which pages are kept. */
export function keyOfEvents({ path, filters, at }: EventSelection): readonly unknown[] {
  return ['events', path, filters, at];
}

/** Reads events newest first, page by page while scrolling up or down. */
export function useEvents(selection: EventSelection): UseInfiniteQueryResult<Pages, ApiError> {
  const { ask } = useSession();
  const queryKey = keyOfEvents(selection);
  const pages = useQueryClient().getQueryData<Pages>(queryKey)?.pages ?? [];
  const isFull = pages.reduce((sum, { events }) => sum + events.length, 0) >= MAX_KEPT;
  return useInfiniteQuery<EventPage, ApiError, Pages, readonly unknown[], Place>({
    queryKey,
    queryFn: ({ pageParam, signal }) => new Reading(ask, selection, signal).page(pageParam),
    initialPageParam: 'first',
    ...readOnce,
    ...(isFull && { maxPages: pages.length }),
    getNextPageParam: ({ before }) => (before === null ? undefined : { before }),
    getPreviousPageParam: ({ isNewest, after }) => (isNewest || after === null ? undefined : { after }),
  });
}

/** Reads one page. */
class Reading {
  constructor(
    private readonly ask: Session['ask'],
    private readonly selection: EventSelection,
    private readonly signal: AbortSignal,
  ) {}

  async page(place: Place): Promise<EventPage> {
    if (place === 'first') {
      const { at } = this.selection;
      return at === '' ? this.newestFirst(null) : this.newestFirst((await this.positionOf(at)) + 1);
    }
    return 'after' in place ? this.oldestFirst(place.after) : this.newestFirst(place.before);
  }

  private async newestFirst(before: number | null): Promise<EventPage> {
    const order = { newest_first: true, ...(before !== null && { before }) };
    const { events, position, found_oldest: isOldest, newest } = await this.read<NewestFirst>(order);
    return {
      events: events.map(rowOf),
      before: isOldest ? null : position,
      after: newest,
      isNewest: before === null,
    };
  }

  private async oldestFirst(after: number): Promise<EventPage> {
    const { events, position, found_newest: isNewest } = await this.read<OldestFirst>({ after });
    return {
      events: events.toReversed().map(rowOf),
      before: after + 1,
      after: position ?? after,
      isNewest,
    };
  }

  /**
   * The position of the last selected event of a moment; 0: there is none. Times are not always in the order of positions, so that a filter
   * by time would leave out events that are between those of the table.
   */
  private async positionOf(at: string): Promise<number> {
    if (/^\d{1,15}$/.test(at)) return Number(at);
    for (let before: number | null = null; ;) {
      const order: Parameters = { newest_first: true, to: at, limit: 1, ...(before !== null && { before }) };
      const { events, position, found_oldest: isOldest }: NewestFirst = await this.read<NewestFirst>(order);
      const [last] = events;
      if (last !== undefined) return last.position;
      if (isOldest || position === null) return 0;
      before = position;
    }
  }

  private read<Reply>(order: Parameters): Promise<Reply> {
    const { path, filters } = this.selection;
    return this.ask<Reply>({
      path,
      parameters: { limit: PAGE, with_data: false, ...filters, ...order },
      signal: this.signal,
    });
  }
}
