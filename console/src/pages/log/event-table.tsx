import { Button, Group, Switch, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useState, type ReactNode } from 'react';
import { useFilters } from '../../components/address.js';
import { count } from '../../components/numbers.js';
import { Empty, Failed, Loading } from '../../components/states.js';
import { Time } from '../../components/time.js';
import { VirtualTable, type Column } from '../../components/virtual-table.js';
import { EventDrawer } from './event-drawer.js';
import { useFollowing } from './following.js';
import { keyOfEvents, useEvents, type EventRow, type EventSelection } from './events.js';

const columns: readonly Column<EventRow>[] = [
  { title: 'Position', width: '5.5rem', cell: ({ position }) => count(position), isNumber: true },
  {
    title: 'Time',
    width: '9.5rem',
    cell: ({ at }) => (at === undefined ? 'unknown' : <Time at={at} />),
  },
  { title: 'What happened', width: 'minmax(18rem, 1fr)', cell: ({ what }) => what, isMain: true },
  { title: 'Event', width: '11.5rem', cell: ({ type }) => <code title={type}>{type}</code> },
];

export interface EventTableProps extends Omit<EventSelection, 'at'>, Partial<Pick<EventSelection, 'at'>> {
  readonly label: string;
  /** Whether new events can be followed. */
  readonly canFollow?: boolean;
}

/** Events, newest first, loaded while scrolling up and down; each leads to its stored form. */
export function EventTable({ path, filters, at = '', label, canFollow = false }: EventTableProps) {
  const [isFollowing, follow] = useState(false);
  const table = useTable({ path, filters, at, isFollowing });
  const { query, events, followError, readEarlier, readLater, readAnew } = table;
  const { data, error, refetch } = query;
  const [{ event: chosen }, change] = useFilters(['event', 'at']);
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
      <TableHead table={table} toNewest={at === '' ? readAnew : () => change({ at: '' }, true)}>
        {canFollow && data.pages[0]?.isNewest === true && (
          <Switch
            size="sm"
            label="Follow"
            checked={isFollowing}
            onChange={({ currentTarget }) => follow(currentTarget.checked)}
          />
        )}
      </TableHead>
      {error !== null && <Failed error={error} retry={() => void readAgain(query)} />}
      {followError !== null && (
        <Text size="sm" role="status" mb="xs">
          Nothing new can be read now: {followError.message}
        </Text>
      )}
      {events.length === 0 ? (
        <Empty>{isWhole(table) ? 'No event fits.' : 'Nothing was found yet.'}</Empty>
      ) : (
        <Rows {...{ label, events, readEarlier, readLater, chosen, choose }} />
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
  readonly events: readonly EventRow[];
  /** Why following fails; null: it does not. */
  readonly followError: Error | null;
  /** Reads the next page of earlier events; absent: there are none. */
  readonly readEarlier?: () => void;
  /** Reads the next page of later events; absent: there are none, or they are followed. */
  readonly readLater?: () => void;
  /** Starts again with the first page. */
  readonly readAnew: () => void;
}

/** Reads pages of events, and follows the log from the newest page on. */
function useTable({
  path,
  filters,
  at,
  isFollowing,
}: EventSelection & { readonly isFollowing: boolean }): Table {
  const client = useQueryClient();
  const query = useEvents({ path, filters, at });
  const { data, error, isFetching, hasNextPage, hasPreviousPage, fetchNextPage, fetchPreviousPage } = query;
  const selection = JSON.stringify({ path, filters, at } satisfies EventSelection);
  // Instead of reading all loaded pages again.
  const readAnew = useCallback(
    () => void client.resetQueries({ queryKey: keyOfEvents(JSON.parse(selection) as EventSelection) }),
    [client, selection],
  );
  const newest = data?.pages[0];
  const from = newest?.isNewest === true ? newest.after : null;
  // When more was followed than is kept, the pages begin at the newest event again, so that nothing is missing in between.
  const followed = useFollowing({ path, filters, from, isOn: isFollowing, onFull: readAnew });
  // After a failure only when somebody asks for it.
  const canRead = !isFetching && error === null;
  const readEarlier = useCallback(() => {
    if (canRead) void fetchNextPage();
  }, [canRead, fetchNextPage]);
  const readLater = useCallback(() => {
    if (canRead) void fetchPreviousPage();
  }, [canRead, fetchPreviousPage]);
  const paged = data?.pages.flatMap((page) => page.events) ?? [];
  // When a combination of filters rarely matches, pages may be empty.
  const isSearching = data !== undefined && paged.length === 0;
  useEffect(() => {
    if (isSearching && hasNextPage) readEarlier();
    else if (isSearching && hasPreviousPage) readLater();
  }, [isSearching, hasNextPage, hasPreviousPage, readEarlier, readLater]);
  return {
    query,
    events: [...followed.events, ...paged],
    followError: followed.error,
    ...(hasNextPage && { readEarlier }),
    ...(hasPreviousPage && { readLater }),
    readAnew,
  };
}

/** Whether all events are loaded. */
function isWhole({ readEarlier, readLater }: Pick<Table, 'readEarlier' | 'readLater'>): boolean {
  return readEarlier === undefined && readLater === undefined;
}

/** Reads the page that could not be read. */
function readAgain({ isFetchPreviousPageError, fetchPreviousPage, fetchNextPage }: Table['query']) {
  return isFetchPreviousPageError ? fetchPreviousPage() : fetchNextPage();
}

interface TableHeadProps {
  readonly table: Table;
  readonly toNewest: () => void;
  readonly children: ReactNode;
}

/** How much was read, and what can be read. */
function TableHead({ table, toNewest, children }: TableHeadProps) {
  const { query, events, readEarlier, readLater } = table;
  const { data, isFetching, isFetchingPreviousPage } = query;
  const passed = isFetchingPreviousPage ? null : (data?.pages.at(-1)?.before ?? null);
  return (
    <Group justify="space-between" mb="xs">
      <Text size="sm" c="dimmed" role="status">
        {isFetching ? readingFrom(passed) : summaryOf(events.length, !isWhole(table))}
      </Text>
      <Group gap="xs">
        {children}
        {readLater !== undefined && (
          <Button size="xs" variant="default" onClick={readLater} disabled={isFetching}>
            Later events
          </Button>
        )}
        {readEarlier !== undefined && (
          <Button size="xs" variant="default" onClick={readEarlier} disabled={isFetching}>
            Earlier events
          </Button>
        )}
        <Button size="xs" variant="default" onClick={toNewest}>
          Newest events
        </Button>
      </Group>
    </Group>
  );
}

interface RowsProps extends Pick<EventTableProps, 'label'> {
  readonly events: readonly EventRow[];
  readonly readEarlier: (() => void) | undefined;
  readonly readLater: (() => void) | undefined;
  /** The position of the chosen event, as in the address. */
  readonly chosen: string;
  readonly choose: (position: number) => void;
}

function Rows({ label, events, readEarlier, readLater, chosen, choose }: RowsProps) {
  return (
    <VirtualTable
      label={label}
      columns={columns}
      rows={events}
      keyOf={({ position }) => position}
      {...(readEarlier !== undefined && { onEnd: readEarlier })}
      {...(readLater !== undefined && { onStart: readLater })}
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
