import { useInfiniteQuery, type InfiniteData, type UseInfiniteQueryResult } from '@tanstack/react-query';
import type { ApiError, Parameters } from '../../api/client.js';
import { useSession } from '../../api/session.js';
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

interface NewestFirst {
  readonly events: readonly LoggedEvent[];
  readonly position: number | null;
  readonly found_oldest: boolean;
  readonly newest: number | null;
}

type Pages = InfiniteData<NewestFirst, number | null>;

/** Enough to fill the screen, so that the first events appear quickly. */
const PAGE = 60;

/** Reads events newest first, page by page while scrolling. */
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
    ...readOnce,
    getNextPageParam: ({ found_oldest: isOldest, position }) => (isOldest ? undefined : position),
  });
}
