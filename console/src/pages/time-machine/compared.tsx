import { Button, Group, Progress, Stack, Text } from '@mantine/core';
import { useInfiniteQuery, useQueryClient, type InfiniteData } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { ApiError } from '../../api/client.js';
import { useSession } from '../../api/session.js';
import { readOnce } from '../../api/use-api.js';
import { ReadAgain } from '../../components/read-again.js';
import { Empty, Failed, Loading } from '../../components/states.js';
import { TextDiff } from '../../components/text-diff.js';
import { Time } from '../../components/time.js';
import { plural } from '../../components/numbers.js';
import { MessageCard } from './chat.js';
import type { Comparison, Difference, PastMessage } from './past.js';

export interface ComparedProps {
  readonly conversation: Readonly<Record<string, unknown>>;
  readonly from: string;
  readonly to: string;
  readonly as: string;
}

/** Number of differences loaded at once; more are loaded on demand. */
const PAGE = 50;

/** A comparison that is being searched through. */
interface Search {
  /** What was found up to now; empty: nothing was read yet. */
  readonly pages: readonly Comparison[];
  readonly differences: readonly Difference[];
  readonly error: ApiError | null;
  readonly isReading: boolean;
  /** Whether the search has not come to its end. */
  readonly goesOn: boolean;
  /** Whether it waits, because as many differences as wanted were found. */
  readonly waits: boolean;
  readonly more: () => void;
  readonly retry: () => void;
  readonly restart: () => void;
}

/** Searches on until the wanted number of differences is found. */
function useComparison({ conversation, from, to, as }: ComparedProps): Search {
  const { ask } = useSession();
  const client = useQueryClient();
  const asked = { ...conversation, from, ...(to !== '' && { to }), ...(as !== '' && { as }), limit: PAGE };
  const queryKey = ['comparison', asked];
  const query = useInfiniteQuery<
    Comparison,
    ApiError,
    InfiniteData<Comparison, number>,
    readonly unknown[],
    number
  >({
    queryKey,
    queryFn: ({ pageParam: after, signal }) =>
      ask<Comparison>({ path: 'audit/conversation/comparison', parameters: { ...asked, after }, signal }),
    initialPageParam: 0,
    ...readOnce,
    getNextPageParam: ({ after }) => after,
  });
  const { data, error, hasNextPage: goesOn, isFetching: isReading, fetchNextPage } = query;
  const pages = data?.pages ?? [];
  const differences = pages.flatMap((page) => page.differences);
  const [wanted, want] = useState(PAGE);
  const waits = goesOn && differences.length >= wanted;
  const mayContinue = goesOn && !isReading && error === null && !waits;
  useEffect(() => {
    if (mayContinue) void fetchNextPage();
  }, [mayContinue, fetchNextPage]);
  return {
    ...{ pages, differences, error, isReading, goesOn, waits },
    more: () => want(differences.length + PAGE),
    retry: () => void (pages.length === 0 ? query.refetch() : fetchNextPage()),
    restart: () => void client.resetQueries({ queryKey, exact: true }),
  };
}

/** The differences between two times, side by side. Results appear while the search continues. */
export function Compared(props: ComparedProps) {
  const search = useComparison(props);
  const { pages, differences, error, goesOn } = search;
  const last = pages.at(-1);
  if (last === undefined) {
    if (error === null) return <Loading of="the comparison" />;
    return <Failed error={error} retry={search.retry} />;
  }
  const looked = 100 * ((last.after ?? last.last_message_id) / Math.max(1, last.last_message_id));
  return (
    <Stack gap="sm">
      {goesOn && <Progress value={looked} aria-label="Compared" />}
      <Summary search={search} last={last} isUpToNow={props.to === ''} />
      {differences.length === 0 && !goesOn && <Empty>There is no difference between the two moments.</Empty>}
      <ol className="differences">
        {differences.map((difference) => (
          <li key={(difference.before ?? difference.after)!.id} className={`difference ${difference.kind}`}>
            <Differs difference={difference} />
          </li>
        ))}
      </ol>
      {error !== null && <Failed error={error} retry={search.retry} />}
      {search.waits && (
        <Group justify="center">
          <Button variant="subtle" size="xs" onClick={search.more}>
            More differences
          </Button>
        </Group>
      )}
    </Stack>
  );
}

interface SummaryProps {
  readonly search: Search;
  readonly last: Comparison;
  /** Whether the second moment is the present, so that the same comparison may come out differently. */
  readonly isUpToNow: boolean;
}

function Summary({ search, last, isUpToNow }: SummaryProps) {
  const unchanged = search.pages.reduce((sum, page) => sum + page.unchanged, 0);
  return (
    <Group justify="space-between">
      <Text size="sm" c="dimmed">
        {plural(search.differences.length, 'difference')}, {plural(unchanged, 'message')} as before
        {search.goesOn && ' so far'}, between <Time at={last.from.time} /> and <Time at={last.to.time} />.
      </Text>
      {isUpToNow && (
        <ReadAgain isReading={search.isReading} onRead={search.restart}>
          Compare again
        </ReadAgain>
      )}
    </Group>
  );
}

const reasons = {
  sent: 'it was sent',
  deleted: 'it was deleted',
  moved: 'it was moved',
  permissions: 'permissions changed',
} as const;

function Differs({
  difference: { kind, because, before, after, text },
}: {
  readonly difference: Difference;
}) {
  const title = { came: 'Came', went: 'Went', changed: 'Changed' }[kind];
  return (
    <>
      <p className="difference-title">
        {title}
        {because !== null && `: ${reasons[because]}`}
      </p>
      <div className="difference-sides">
        <Side name="Before" message={before} />
        <Side name="After" message={after} />
      </div>
      {text !== null && <TextDiff changes={text} />}
    </>
  );
}

function Side({ name, message }: { readonly name: string; readonly message: PastMessage | null }) {
  return (
    <div>
      <Text c="dimmed" size="xs">
        {name}
      </Text>
      {message === null ? (
        <Text c="dimmed" size="sm">
          Not there
        </Text>
      ) : (
        <MessageCard message={message} />
      )}
    </div>
  );
}
