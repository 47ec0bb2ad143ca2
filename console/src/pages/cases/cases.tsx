import { Anchor, Badge, Table } from '@mantine/core';
import { useState } from 'react';
import { Link, useParams } from 'wouter';
import { Empty, Failed, Loaded, PageHead, Panel } from '../../components/states.js';
import { PlainTable } from '../../components/table.js';
import { Time } from '../../components/time.js';
import { useCase, useCaseAct, useCases, type Case } from './case.js';
import { CaseForm } from './form.js';
import { OneCase } from './one-case.js';
import { ActorName } from './scope.js';
import '../past.css';

/** The list of cases, or the one in the address. */
export function Cases() {
  const { id } = useParams<{ id?: string }>();
  if (id === undefined) return <AllCases />;
  return /^\d{1,15}$/.test(id) ? <CaseOf key={id} id={id} /> : <NoCase id={id} />;
}

function AllCases() {
  return (
    <Loaded query={useCases()} of="the cases">
      {({ cases }) => <List cases={cases} />}
    </Loaded>
  );
}

function CaseOf({ id }: { readonly id: string }) {
  const query = useCase(id);
  if (query.error?.status === 404) return <NoCase id={id} />;
  return (
    <Loaded query={query} of="the case">
      {({ case: found }) => <OneCase of={found} onRead={() => void query.refetch()} />}
    </Loaded>
  );
}

function NoCase({ id }: { readonly id: string }) {
  return <PageHead title="Cases">There is no case {id}.</PageHead>;
}

const headings = [
  { title: 'Case' },
  { title: 'Name' },
  { title: 'State' },
  { title: 'Created' },
  { title: 'By' },
];

function List({ cases }: { readonly cases: readonly Case[] }) {
  return (
    <>
      <PageHead title="Cases">
        Collect messages by people, channels, time and words; keep them by a legal hold, search every version
        of them, and hand them out with proofs.
      </PageHead>
      <div className="stack">
        <Panel title="All cases">
          {cases.length === 0 ? (
            <Empty>There is no case yet.</Empty>
          ) : (
            <PlainTable label="Every case" headings={headings}>
              {cases.map((one) => (
                <CaseRow key={one.id} of={one} />
              ))}
            </PlainTable>
          )}
        </Panel>
        <NewCase />
      </div>
    </>
  );
}

function CaseRow({ of }: { readonly of: Case }) {
  return (
    <Table.Tr>
      <Table.Td className="numbers">{of.id}</Table.Td>
      <Table.Td>
        <Anchor component={Link} href={`/cases/${of.id}`} size="sm">
          <bdi>{of.name}</bdi>
        </Anchor>
      </Table.Td>
      <Table.Td>
        <State of={of} />
      </Table.Td>
      <Table.Td>
        <Time at={of.created.at * 1000} />
      </Table.Td>
      <Table.Td>
        <ActorName attribution={of.created} />
      </Table.Td>
    </Table.Tr>
  );
}

function NewCase() {
  const act = useCaseAct();
  const [created, setCreated] = useState(0);
  return (
    <Panel title="A new case">
      {act.error !== null && <Failed error={act.error} />}
      <CaseForm
        key={created}
        of={null}
        isBusy={act.isPending}
        onSave={(parameters) =>
          act.mutate(
            { method: 'POST', path: 'cases', parameters },
            { onSuccess: () => setCreated(created + 1) },
          )
        }
      />
    </Panel>
  );
}

/** The state of a case, in one word. */
export function State({ of: { state, hold } }: { readonly of: Case }) {
  if (hold !== null) return <Badge variant="outline">on hold</Badge>;
  return state === 'closed' ? 'closed' : 'open';
}
