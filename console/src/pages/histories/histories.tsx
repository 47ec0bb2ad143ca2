import { TextInput } from '@mantine/core';
import { useLocation, useParams } from 'wouter';
import { useApi } from '../../api/use-api.js';
import { useFilters } from '../../components/address.js';
import { CHANNELS, type AuditedChannels } from '../../components/named.js';
import { Empty, Loaded, PageHead } from '../../components/states.js';
import { VirtualTable, type Column } from '../../components/virtual-table.js';
import { EventTable } from '../log/event-table.js';

/** A person or a channel with a history in the log. */
interface HistoryRow {
  readonly id: number;
  readonly name: string;
  readonly note: string;
}

const columns: readonly Column<HistoryRow>[] = [
  { title: 'Id', width: '5rem', cell: ({ id }) => id, isNumber: true },
  { title: 'Name', width: 'minmax(12rem, 1fr)', cell: ({ name }) => name, isMain: true },
  { title: 'Kind', width: '10rem', cell: ({ note }) => note },
];

interface HistoriesProps {
  readonly title: 'People' | 'Channels';
  readonly all: readonly HistoryRow[];
  /** The path of the page, and of the API below `audit`. */
  readonly path: 'people' | 'channels';
}

/** Selects by name, and shows the history. */
function Histories({ title, all, path }: HistoriesProps) {
  const { id } = useParams<{ id?: string }>();
  const [, navigate] = useLocation();
  const [{ name: wanted }, change] = useFilters(['name']);
  if (id !== undefined) {
    const found = all.find((one) => String(one.id) === id);
    return (
      <>
        <PageHead
          title={found === undefined ? `${title === 'People' ? 'Person' : 'Channel'} ${id}` : found.name}
        >
          Each change is a line; the newest is first.
        </PageHead>
        <EventTable path={`audit/${path}/${id}`} filters={{}} label="What happened" />
      </>
    );
  }
  const folded = wanted.trim().toLowerCase();
  const rows = all.filter(({ name }) => name.toLowerCase().includes(folded));
  return (
    <>
      <PageHead title={title}>Choose one to see everything that happened to it.</PageHead>
      <TextInput
        label="Name"
        mb="md"
        maw="24rem"
        value={wanted}
        onChange={(event) => change({ name: event.currentTarget.value })}
      />
      {rows.length === 0 ? (
        <Empty>{`No ${title === 'People' ? 'person' : 'channel'} has “${wanted.trim()}” in the name.`}</Empty>
      ) : (
        <VirtualTable
          label={title}
          columns={columns}
          rows={rows}
          keyOf={(row) => row.id}
          onChoose={(row) => navigate(`/${path}/${row.id}`)}
          height="calc(100dvh - 18rem)"
        />
      )}
    </>
  );
}

interface Member {
  readonly user_id: number;
  readonly full_name: string;
  readonly is_bot: boolean;
  readonly is_active: boolean;
}

export function People() {
  const query = useApi<{ readonly members: readonly Member[] }>('users');
  return (
    <Loaded query={query} of="the people">
      {({ members }) => (
        <Histories
          title="People"
          path="people"
          all={members.map(({ user_id: id, full_name: name, is_bot: isBot, is_active: isActive }) => ({
            id,
            name,
            note: [isBot ? 'bot' : 'person', isActive ? '' : 'deactivated'].filter(Boolean).join(', '),
          }))}
        />
      )}
    </Loaded>
  );
}

export function Channels() {
  const query = useApi<AuditedChannels>(CHANNELS);
  return (
    <Loaded query={query} of="the channels">
      {({ channels }) => (
        <Histories
          title="Channels"
          path="channels"
          all={channels.map(({ channel_id: id, name, is_private: isPrivate, is_archived: isArchived }) => ({
            id,
            name,
            note: [isPrivate ? 'private' : 'public', isArchived ? 'archived' : ''].filter(Boolean).join(', '),
          }))}
        />
      )}
    </Loaded>
  );
}
