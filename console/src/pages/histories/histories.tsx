import { TextInput } from '@mantine/core';
import { useLocation, useParams } from 'wouter';
import { useFilters } from '../../components/address.js';
import { useNames, useNamesWith, type Named, type NamedKind } from '../../components/named.js';
import { Empty, Loaded, Loading, PageHead } from '../../components/states.js';
import { VirtualTable, type Column } from '../../components/virtual-table.js';
import { EventTable } from '../log/event-table.js';

const columns: readonly Column<Named>[] = [
  { title: 'Id', width: '5rem', cell: ({ id }) => id, isNumber: true },
  { title: 'Name', width: 'minmax(12rem, 1fr)', cell: ({ name }) => name, isMain: true },
  { title: 'Kind', width: '10rem', cell: ({ note }) => note },
];

/** How pages of a kind name it. */
const words = {
  people: { title: 'People', one: 'Person' },
  channels: { title: 'Channels', one: 'Channel' },
} as const;

interface KindProps {
  /** Also the path of the page, and of the API below `audit`. */
  readonly kind: NamedKind;
}

/** Selects by name, and shows the history. */
function Histories({ kind }: KindProps) {
  const { id } = useParams<{ id?: string }>();
  return id === undefined ? <List kind={kind} /> : <History kind={kind} id={id} />;
}

function History({ kind, id }: KindProps & { readonly id: string }) {
  const { one } = words[kind];
  const [found] = useNames(kind, /^\d{1,15}$/.test(id) ? [Number(id)] : []);
  const isFound = found !== undefined && String(found.id) === id;
  return (
    <>
      <PageHead title={isFound ? found.name : `${one} ${id}`}>
        Each change is a line; the newest is first.
      </PageHead>
      <EventTable path={`audit/${kind}/${id}`} filters={{}} label="What happened" />
    </>
  );
}

function List({ kind }: KindProps) {
  const { title, one } = words[kind];
  const [, navigate] = useLocation();
  const [{ name: wanted }, change] = useFilters(['name']);
  const { query, isPassing } = useNamesWith(kind, wanted);
  const folded = wanted.trim().toLowerCase();
  const { hasNextPage, isFetching, fetchNextPage } = query;
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
      <Loaded query={query} of={`the ${kind}`}>
        {(all) => {
          const rows = isPassing ? all.filter(({ name }) => name.toLowerCase().includes(folded)) : all;
          if (rows.length === 0 && isPassing) return <Loading of={`the ${kind}`} />;
          return rows.length === 0 ? (
            <Empty>{`No ${one.toLowerCase()} has “${wanted.trim()}” in the name.`}</Empty>
          ) : (
            <VirtualTable
              label={title}
              columns={columns}
              rows={rows}
              keyOf={(row) => row.id}
              onEnd={() => {
                if (hasNextPage && !isFetching && !isPassing) void fetchNextPage();
              }}
              onChoose={(row) => navigate(`/${kind}/${row.id}`)}
              height="calc(100dvh - 18rem)"
            />
          );
        }}
      </Loaded>
    </>
  );
}

export function People() {
  return <Histories kind="people" />;
}

export function Channels() {
  return <Histories kind="channels" />;
}
