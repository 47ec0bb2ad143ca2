import { Button, Group, Switch, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useState, type ReactNode } from 'react';
import type { Parameters } from '../../api/client.js';
import { useFilters } from '../../components/address.js';
import { count } from '../../components/numbers.js';
import { Empty, Failed, Loading } from '../../components/states.js';
import { Time } from '../../components/time.js';
import { VirtualTable, type Column } from '../../components/virtual-table.js';
import { EventDrawer } from './event-drawer.js';
import { useFollowing } from './following.js';
import { useEvents, type LoggedEvent } from './events.js';

const columns: readonly Column<LoggedEvent>[] = [
  { title: 'Position', width: '5.5rem', cell: ({ position }) => count(position), isNumber: true },
  {
    title: 'Time',
    width: '9.5rem',
    cell: ({ metadata: { at } }) => (at === undefined ? 'unknown' : <Time at={at} />),
  },
  { title: 'What happened', width: 'minmax(18rem, 1fr)', cell: sentenceOf, isMain: true },
  { title: 'Event', width: '11.5rem', cell: ({ type }) => <code title={type}>{type}</code> },
];

/** An unreadable event is shown with the reason. */
function sentenceOf({ sentence, unreadable }: LoggedEvent): string {
  return sentence ?? `(unreadable) ${unreadable ?? ''}`;
}

export interface EventTableProps {
  /** Of the API, such as `audit/log`. */
  readonly path: string;
  readonly filters: Parameters;
  readonly label: string;
  /** Whether new events can be followed. */
  readonly canFollow?: boolean;
}

/** Events, newest first, loaded while scrolling; each leads to its stored form. */
export function EventTable({ path, filters, label, canFollow = false }: EventTableProps) {
  const [isFollowing, follow] = useState(false);
  const { query, events, followError, readOn, readAnew } = useTable({ path, filters, isFollowing });
  const { data, error, hasNextPage, refetch, fetchNextPage } = query;
  const [{ event: chosen }, change] = useFilters(['event']);
  const choose = (position: number | null): void =>
    change({ event: position === null ? '' : String(position) });
  if (data === undefined)
    return error === null ? (
      <Loading of="the events" />
    ) : (
      <Failed error={error} retry={() => void refetch()} />
    );
  return (
    <>
      <TableHead {...{ query, readOn, readAnew }} found={events.length}>
        {canFollow && data.pages[0]?.newest != null && (
          <Switch
            size="sm"
            label="Follow"
            checked={isFollowing}
            onChange={({ currentTarget }) => follow(currentTarget.checked)}
          />
        )}
      </TableHead>
      {error !== null && <Failed error={error} retry={() => void fetchNextPage()} />}
      {followError !== null && (
        <Text size="sm" role="status" mb="xs">
          Nothing new can be read now: {followError.message}
        </Text>
      )}
      {events.length === 0 ? (
        <Empty>{hasNextPage ? 'Nothing was found yet.' : 'No event fits.'}</Empty>
      ) : (
        <Rows {...{ label, events, readOn, chosen, choose }} />
      )}
      <EventDrawer
        position={/^\d{1,15}$/.test(chosen) ? Number(chosen) : null}
        onClose={() => choose(null)}
      />
    </>
  );
}

interface Table {
  readonly query: ReturnType<typeof useEvents>;
  /** Newest first: those that were followed, then those of the loaded pages. */
  readonly events: readonly LoggedEvent[];
  /** Why following fails; null: it does not. */
  readonly followError: Error | null;
  /** Reads the next page. */
  readonly readOn: () => void;
  /** Starts again with the newest page. */
  readonly readAnew: () => void;
}

/** Reads pages of events, and follows the log from the newest page on. */
function useTable({
  path,
  filters,
  isFollowing,
}: Pick<EventTableProps, 'path' | 'filters'> & { readonly isFollowing: boolean }): Table {
  const client = useQueryClient();
  const query = useEvents(path, filters);
  const { data, error, isFetching, hasNextPage, fetchNextPage } = query;
  const asked = JSON.stringify(filters);
  // Instead of reading all loaded pages again.
  const readAnew = useCallback(
    () => void client.resetQueries({ queryKey: ['events', path, JSON.parse(asked) as Parameters] }),
    [client, path, asked],
  );
  const from = data?.pages[0]?.newest ?? null;
  // When more was followed than is kept, the pages begin at the newest event again, so that nothing is missing in between.
  const followed = useFollowing({ path, filters, from, isOn: isFollowing, onFull: readAnew });
  const readOn = useCallback(() => {
    if (hasNextPage && !isFetching) void fetchNextPage();
  }, [hasNextPage, isFetching, fetchNextPage]);
  const paged = data?.pages.flatMap((page) => page.events) ?? [];
  // When a combination of filters rarely matches, pages may be empty.
  const isSearching = data !== undefined && paged.length === 0 && hasNextPage && error === null;
  useEffect(() => {
    if (isSearching) readOn();
  }, [isSearching, readOn]);
  return { query, events: [...followed.events, ...paged], followError: followed.error, readOn, readAnew };
}

interface TableHeadProps extends Pick<Table, 'query' | 'readOn' | 'readAnew'> {
  readonly found: number;
  readonly children: ReactNode;
}

/** How much was read, and what can be read. */
function TableHead({ query, found, readOn, readAnew, children }: TableHeadProps) {
  const { data, isFetching, hasNextPage } = query;
  return (
    <Group justify="space-between" mb="xs">
      <Text size="sm" c="dimmed" role="status">
        {isFetching ? readingFrom(data?.pages.at(-1)?.position ?? null) : summaryOf(found, hasNextPage)}
      </Text>
      <Group gap="xs">
        {children}
        {hasNextPage && (
          <Button size="xs" variant="default" onClick={readOn} disabled={isFetching}>
            Earlier events
          </Button>
        )}
        <Button size="xs" variant="default" onClick={readAnew}>
          Newest events
        </Button>
      </Group>
    </Group>
  );
}

interface RowsProps extends Pick<Table, 'events' | 'readOn'>, Pick<EventTableProps, 'label'> {
  /** The position of the chosen event, as in the address. */
  readonly chosen: string;
  readonly choose: (position: number) => void;
}

function Rows({ label, events, readOn, chosen, choose }: RowsProps) {
  return (
    <VirtualTable
      label={label}
      columns={columns}
      rows={events}
      keyOf={({ position }) => position}
      onEnd={readOn}
      onChoose={({ position }) => choose(position)}
      isChosen={({ position }) => String(position) === chosen}
      height="calc(100dvh - 22rem)"
    />
  );
}

/** @param position down to which the log was searched; null: none yet */
function readingFrom(position: number | null): string {
  return position === null ? 'Reading…' : `Reading back from position ${count(position)}…`;
}

function summaryOf(events: number, isMore: boolean): string {
  return `${count(events)} ${events === 1 ? 'event' : 'events'}${isMore ? ', and there may be more' : ''}`;
}
