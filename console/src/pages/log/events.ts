import { useInfiniteQuery, type InfiniteData, type UseInfiniteQueryResult } from '@tanstack/react-query';
import type { ApiError, Parameters } from '../../api/client.js';
import { useSession } from '../../api/session.js';

/** An event as `GET audit/log` answers it. */
export interface LoggedEvent {
  readonly position: number;
  readonly type: string;
  readonly stream: string;
  readonly revision: number;
  /** Null: it cannot be read. */
  readonly sentence: string | null;
  /** Why it cannot be read; absent: it can. */
  readonly unreadable?: string;
  readonly metadata: { readonly actorId?: number | null; readonly at?: number; readonly client?: string };
}

interface NewestFirst {
  readonly events: readonly LoggedEvent[];
  readonly position: number | null;
  readonly found_oldest: boolean;
  readonly newest: number | null;
}

type Pages = InfiniteData<NewestFirst, number | null>;

/** As many as fill a screen, so that the first ones are there at once. */
const PAGE = 60;

/** Reads events newest first, a page at a time: as far as somebody scrolls. */
export function useEvents(path: string, filters: Parameters): UseInfiniteQueryResult<Pages, ApiError> {
  const session = useSession();
  return useInfiniteQuery<NewestFirst, ApiError, Pages, readonly unknown[], number | null>({
    queryKey: ['events', path, filters],
    queryFn: ({ pageParam, signal }) =>
      session.ask<NewestFirst>({
        path,
        parameters: {
          ...filters,
          newest_first: true,
          limit: PAGE,
          ...(pageParam !== null && { before: pageParam }),
        },
        signal,
      }),
    initialPageParam: null,
    getNextPageParam: ({ found_oldest: isOldest, position }) => (isOldest ? undefined : position),
  });
}
