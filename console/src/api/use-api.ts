import {
  keepPreviousData,
  queryOptions,
  useMutation,
  useQuery,
  useQueryClient,
  type UseMutationResult,
  type UseQueryResult,
} from '@tanstack/react-query';
import type { ApiError, ApiRequest, Parameters } from './client.js';
import { useSession, type Session } from './session.js';

/**
 * Options of queries that the server records: to return to a page is not another look. If the reply depends on the present, the page needs a
 * way to read it again.
 */
export const readOnce = { staleTime: Infinity } as const;

export interface ReadOptions<Reply> {
  /**
   * Repeats the request at this interval in milliseconds while the page is visible; absent: does not repeat. It may depend on what was read,
   * which is undefined while nothing was or the last request failed.
   */
  readonly every?: number | ((reply: Reply | undefined) => number);
  /** Whether what was read is shown again without another request, because the server records each as a look at the log. */
  readonly isReadOnce?: boolean;
  /** False: does not send the request yet. */
  readonly enabled?: boolean;
}

/** Milliseconds between two looks at a task that is under way. */
const UNDER_WAY = 1_000;

/** The same while none is: somebody else may begin one, and results expire. */
const IDLE = 30_000;

/** For {@link ReadOptions.every}: often while something is under way or the state is unknown, seldom otherwise. */
export function oftenWhile<Reply>(
  isUnderWay: (reply: Reply) => boolean,
): (reply: Reply | undefined) => number {
  return (reply) => (reply === undefined || isUnderWay(reply) ? UNDER_WAY : IDLE);
}

/** The query for a request, by which what was read is found again. */
export function apiQuery<Reply>(session: Session, path: string, parameters: Parameters) {
  return queryOptions<Reply, ApiError>({
    queryKey: ['api', path, parameters],
    queryFn: ({ signal }) => session.ask<Reply>({ path, parameters, signal }),
  });
}

/**
 * Reads from the API. Old data stays on the screen until the new data is there, so that nothing flickers. A request whose result is no
 * longer needed is aborted.
 */
export function useApi<Reply>(
  path: string,
  parameters: Parameters = {},
  { every, isReadOnce = false, enabled = true }: ReadOptions<Reply> = {},
): UseQueryResult<Reply, ApiError> {
  const session = useSession();
  return useQuery<Reply, ApiError>({
    ...apiQuery<Reply>(session, path, parameters),
    placeholderData: keepPreviousData,
    refetchInterval:
      every === undefined || typeof every === 'number'
        ? (every ?? false)
        : ({ state: { data, error } }) => every(error === null ? data : undefined),
    ...(isReadOnce && readOnce),
    enabled,
  });
}

/**
 * Changes something through the API, and reads again what depends on it.
 *
 * @param changed prefixes of the paths to read again
 */
export function useAct<Input>(
  request: (input: Input) => ApiRequest,
  changed: readonly string[],
): UseMutationResult<unknown, ApiError, Input> {
  const session = useSession();
  const client = useQueryClient();
  return useMutation<unknown, ApiError, Input>({
    mutationFn: (input) => session.ask(request(input)),
    onSettled: () =>
      client.invalidateQueries({
        predicate: ({ queryKey: [kind, path] }) =>
          kind === 'api' && changed.some((beginning) => String(path).startsWith(beginning)),
      }),
  });
}
