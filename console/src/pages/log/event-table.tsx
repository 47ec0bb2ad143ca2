import { Button, Group, Switch, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
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
  const client = useQueryClient();
  const { data, error, isFetching, hasNextPage, fetchNextPage, refetch } = useEvents(path, filters);
  const [{ event: chosen }, change] = useFilters(['event']);
  const choose = (position: number | null): void =>
    change({ event: position === null ? '' : String(position) });
  const [isFollowing, follow] = useState(false);
  const newest = data?.pages[0]?.newest ?? null;
  const followed = useFollowing(path, filters, isFollowing ? newest : null);
  const readOn = useCallback(() => {
    if (hasNextPage && !isFetching) void fetchNextPage();
  }, [hasNextPage, isFetching, fetchNextPage]);
  // Starts with the newest page, instead of reading all loaded pages again.
  const readAnew = (): void => void client.resetQueries({ queryKey: ['events', path, filters] });
  const found = data?.pages.reduce((sum, page) => sum + page.events.length, 0) ?? 0;
  // When a combination of filters rarely matches, pages may be empty.
  const isSearching = data !== undefined && found === 0 && hasNextPage && error === null;
  useEffect(() => {
    if (isSearching) readOn();
  }, [isSearching, readOn]);
  if (data === undefined)
    return error === null ? (
      <Loading of="the events" />
    ) : (
      <Failed error={error} retry={() => void refetch()} />
    );
  const events = [...followed.events, ...data.pages.flatMap((page) => page.events)];
  return (
    <>
      <Group justify="space-between" mb="xs">
        <Text size="sm" c="dimmed" role="status">
          {isFetching
            ? readingFrom(data.pages.at(-1)?.position ?? null)
            : summaryOf(events.length, hasNextPage)}
        </Text>
        <Group gap="xs">
          {canFollow && newest !== null && (
            <Switch
              size="sm"
              label="Follow"
              checked={isFollowing}
              onChange={({ currentTarget }) => follow(currentTarget.checked)}
            />
          )}
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
      {error !== null && <Failed error={error} retry={() => void fetchNextPage()} />}
      {followed.error !== null && (
        <Text size="sm" role="status" mb="xs">
          Nothing new can be read now: {followed.error.message}
        </Text>
      )}
      {events.length === 0 ? (
        <Empty>{hasNextPage ? 'Nothing was found yet.' : 'No event fits.'}</Empty>
      ) : (
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
      )}
      <EventDrawer
        position={/^\d{1,15}$/.test(chosen) ? Number(chosen) : null}
        onClose={() => choose(null)}
      />
    </>
  );
}

/** @param position down to which the log was searched; null: none yet */
function readingFrom(position: number | null): string {
  return position === null ? 'Reading…' : `Reading back from position ${count(position)}…`;
}

function summaryOf(events: number, isMore: boolean): string {
  return `${count(events)} ${events === 1 ? 'event' : 'events'}${isMore ? ', and there may be more' : ''}`;
}
