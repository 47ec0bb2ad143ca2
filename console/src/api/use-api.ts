import {
  keepPreviousData,
  useMutation,
  useQuery,
  useQueryClient,
  type UseMutationResult,
  type UseQueryResult,
} from '@tanstack/react-query';
import type { ApiError, ApiRequest, Parameters } from './client.js';
import { useSession } from './session.js';

export interface ReadOptions {
  /** Asks again every so many milliseconds while the page is looked at; absent: once. */
  readonly every?: number;
  /** False: does not ask yet. */
  readonly enabled?: boolean;
}

/**
 * Reads from the API. What was read stays on the screen until its successor is there, so nothing flickers; a request that nobody
 * waits for any more is ended.
 */
export function useApi<Reply>(
  path: string,
  parameters: Parameters = {},
  { every, enabled = true }: ReadOptions = {},
): UseQueryResult<Reply, ApiError> {
  const session = useSession();
  return useQuery<Reply, ApiError>({
    queryKey: ['api', path, parameters],
    queryFn: ({ signal }) => session.ask<Reply>({ path, parameters, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: every ?? false,
    enabled,
  });
}

/**
 * Changes something through the API, and reads anew what then stands differently.
 *
 * @param changed beginnings of the paths that are read anew
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
