import { useDebouncedValue } from '@mantine/hooks';
import {
  keepPreviousData,
  useInfiniteQuery,
  useQueries,
  useQueryClient,
  type InfiniteData,
  type QueryClient,
  type UseInfiniteQueryResult,
} from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { useSession } from '../api/session.js';
import { apiQuery, useApi } from '../api/use-api.js';

/** What has names that auditors look up. */
export type NamedKind = 'people' | 'channels';

/** A person or a channel. */
export interface Named {
  readonly id: number;
  readonly name: string;
  /** What it is, such as “private, archived”. */
  readonly note: string;
}

/** The reply of `GET audit/people` or `GET audit/channels`. */
interface NamesReply {
  readonly people?: readonly {
    readonly user_id: number;
    readonly full_name: string;
    readonly is_bot: boolean;
    readonly is_active: boolean;
  }[];
  readonly channels?: readonly {
    readonly channel_id: number;
    readonly name: string;
    readonly is_private: boolean;
    readonly is_archived: boolean;
  }[];
  /** The id after which the next page begins; null: there are no more. */
  readonly after: number | null;
}

/** Maximum number of ids in one request. */
const MAX_IDS = 200;

/** Names of a page of a list, and suggestions at a time. */
const PAGE = 50;

/** Milliseconds without a change of a text until it is looked up. */
const PAUSE = 150;

const pathOf = (kind: NamedKind): string => `audit/${kind}`;

function namesIn({ people = [], channels = [] }: NamesReply): readonly Named[] {
  return [
    ...people.map(({ user_id: id, full_name: name, is_bot: isBot, is_active: isActive }) => ({
      id,
      name,
      note: [isBot ? 'bot' : 'person', isActive ? '' : 'deactivated'].filter(Boolean).join(', '),
    })),
    ...channels.map(({ channel_id: id, name, is_private: isPrivate, is_archived: isArchived }) => ({
      id,
      name,
      note: [isPrivate ? 'private' : 'public', isArchived ? 'archived' : ''].filter(Boolean).join(', '),
    })),
  ];
}

const together = (results: readonly { readonly data: NamesReply | undefined }[]): readonly Named[] =>
  results.flatMap(({ data }) => (data === undefined ? [] : namesIn(data)));

/** The names for ids; of those that do not exist or are not loaded yet, there are none. */
export function useNames(kind: NamedKind, ids: readonly number[]): readonly Named[] {
  const session = useSession();
  const sorted = [...new Set(ids)].sort((one, other) => one - other);
  const parts = Array.from({ length: Math.ceil(sorted.length / MAX_IDS) }, (_, part) =>
    sorted.slice(part * MAX_IDS, (part + 1) * MAX_IDS),
  );
  return useQueries({
    queries: parts.map((part) => ({
      ...apiQuery<NamesReply>(session, pathOf(kind), { ids: part, limit: MAX_IDS }),
      placeholderData: keepPreviousData,
    })),
    combine: together,
  });
}

/** What could complete a text. */
export interface Suggestions {
  readonly found: readonly Named[];
  /** Whether they are not those for the text yet. */
  readonly isSearching: boolean;
}

/** Looks up whose name contains a text, while an input is in use. */
export function useSuggestions(kind: NamedKind, text: string, isInUse: boolean): Suggestions {
  const [name] = useDebouncedValue(text.trim(), PAUSE);
  const parameters = { ...(name !== '' && { name }), limit: PAGE };
  const { data, isFetching } = useApi<NamesReply>(pathOf(kind), parameters, { enabled: isInUse });
  const found = useMemo(() => (data === undefined ? [] : namesIn(data)), [data]);
  return { found, isSearching: isFetching || name !== text.trim() };
}

/** What is called by a text, as far as it was read. */
export interface NamesWith {
  readonly query: UseInfiniteQueryResult<readonly Named[], Error>;
  /** Whether it is still what was read for another text. */
  readonly isPassing: boolean;
}

/** Everybody or everything with a text in the name, page by page while scrolling. */
export function useNamesWith(kind: NamedKind, text: string): NamesWith {
  const { ask } = useSession();
  const [name] = useDebouncedValue(text.trim(), PAUSE);
  const query = useInfiniteQuery({
    queryKey: ['names', kind, name],
    queryFn: ({ pageParam: after, signal }) => {
      const parameters = { ...(name !== '' && { name }), ...(after !== null && { after }), limit: PAGE };
      return ask<NamesReply>({ path: pathOf(kind), parameters, signal });
    },
    initialPageParam: null as number | null,
    getNextPageParam: ({ after }) => after,
    placeholderData: keepPreviousData,
    select: allOf,
  });
  return { query, isPassing: query.isPlaceholderData || name !== text.trim() };
}

const allOf = ({ pages }: InfiniteData<NamesReply>): readonly Named[] => pages.flatMap(namesIn);

/**
 * Finds the id for a text, which may be an id, a suggestion or an unambiguous name; any other text, such as an e-mail address, is not
 * changed.
 */
export function useIdOf(): (kind: NamedKind, text: string) => Promise<string> {
  const session = useSession();
  const client = useQueryClient();
  return useCallback(
    async (kind, text) => {
      const wanted = text.trim();
      if (wanted === '' || /^\d+$/.test(wanted)) return wanted;
      const look = (parameters: object): Promise<readonly Named[]> =>
        client.fetchQuery(apiQuery<NamesReply>(session, pathOf(kind), { ...parameters })).then(namesIn);
      try {
        return await idOf(wanted, { known: knownNames(client, kind), look });
      } catch {
        // The request for what is asked about it will say what is wrong.
        return wanted;
      }
    },
    [session, client],
  );
}

interface Lookup {
  /** Names that were loaded already. */
  readonly known: readonly Named[];
  readonly look: (parameters: object) => Promise<readonly Named[]>;
}

/** A name may look like the suggestion for somebody else, so an id in brackets counts only behind the name that it has. */
async function idOf(wanted: string, { known, look }: Lookup): Promise<string> {
  const isSuggestion = (one: Named): boolean => namedText(one) === wanted;
  const [, id] = /\((\d{1,15})\)$/.exec(wanted) ?? [];
  if (id !== undefined) {
    const suggested = known.find(isSuggestion) ?? (await look({ ids: [Number(id)] })).find(isSuggestion);
    if (suggested !== undefined) return String(suggested.id);
  }
  const called = await look({ name: wanted.replace(/^[#@]/, ''), exact: true, limit: 2 });
  return called.length === 1 ? String(called[0]!.id) : wanted;
}

function knownNames(client: QueryClient, kind: NamedKind): readonly Named[] {
  const loaded = client.getQueriesData<NamesReply>({ queryKey: ['api', pathOf(kind)] });
  return loaded.flatMap(([, data]) => (data === undefined ? [] : namesIn(data)));
}

/** “Ada Quill (5)”: readable, and unambiguous when two have the same name. */
export function namedText({ id, name }: Named): string {
  return `${name} (${id})`;
}

/** The name for an id in the address, if it is known. */
export function shownAs(text: string, known: readonly Named[]): string {
  const found = known.find(({ id }) => String(id) === text);
  return found === undefined ? text : namedText(found);
}

/** The ids in a text of the address: `5,7`. */
export function idsIn(text: string): readonly number[] {
  return (text.match(/\d+/g) ?? []).map(Number);
}

/** The name by which people and the server know the topic without a name. */
const EMPTY_TOPIC = 'general chat';

/** The name of a topic as people read and write it. */
export function topicText(topic: string): string {
  return topic === '' ? EMPTY_TOPIC : topic;
}
