import { Button, Menu, Table, Text } from '@mantine/core';
import { useState } from 'react';
import {
  useOperations,
  useCommand,
  useProjections,
  type ModelReport,
  type Operation,
  type Command,
  type SnapshotReport,
} from '../../api/operations.js';
import { Confirm } from '../../components/confirm.js';
import { bytes, count, duration, eventsBehind, plural, rate } from '../../components/numbers.js';
import { Empty, Failed, Loaded, PageHead, Panel } from '../../components/states.js';
import { PlainTable } from '../../components/table.js';
import { Time } from '../../components/time.js';
import { CommandProgress } from './command-progress.js';

/** A question before something that cannot be undone. */
interface Question {
  readonly command: Command;
  readonly title: string;
  readonly text: string;
  readonly action: string;
}

/** The read models with their operations, and the snapshots of long streams. */
export function Models() {
  const projections = useProjections();
  const operations = useOperations();
  const command = useCommand();
  const [question, setQuestion] = useState<Question | null>(null);
  const give = (wanted: Command): void => command.mutate(wanted);
  return (
    <>
      <PageHead title="Read models">
        Requests are answered from these documents. They contain nothing that the log does not contain, so
        each model can be rebuilt while its present version serves.
      </PageHead>
      <div className="stack">
        {command.error !== null && <Failed error={command.error} />}
        <Panel title="Models">
          <Loaded query={projections} of="the read models">
            {({ projections: models }) => <ModelTable models={models} give={give} ask={setQuestion} />}
          </Loaded>
        </Panel>
        <Panel title="Commands">
          <Loaded query={operations} of="the commands">
            {({ orders }) =>
              orders.length === 0 ? (
                <Empty>None since the server started. Earlier commands are in the log.</Empty>
              ) : (
                <div className="stack small">
                  {orders.slice(0, 12).map((one) => (
                    <CommandProgress key={one.id} command={one} />
                  ))}
                </div>
              )
            }
          </Loaded>
        </Panel>
        <Loaded query={operations} of="the snapshots">
          {({ snapshots }) => <Snapshots snapshots={snapshots} ask={setQuestion} />}
        </Loaded>
      </div>
      <Confirm
        title={question?.title ?? ''}
        action={question?.action ?? ''}
        isOpen={question !== null}
        onCancel={() => setQuestion(null)}
        onConfirm={() => {
          if (question !== null) give(question.command);
          setQuestion(null);
        }}
      >
        {question?.text}
      </Confirm>
    </>
  );
}

/** Descriptions of the states. */
const states: Readonly<Record<string, string>> = {
  live: 'follows the log',
  building: 'is being built',
  'catching up': 'catches up with the log',
  halted: 'halted at an event that it cannot apply',
  paused: 'is paused',
  stopped: 'is stopped',
  unseen: 'is written, but not where requests read',
};

interface Acting {
  readonly give: (command: Command) => void;
  readonly ask: (question: Question) => void;
}

const headings = [
  { title: 'Model' },
  { title: 'State' },
  { title: 'Version' },
  { title: 'Lag', isNumber: true },
  { title: 'Events/s', isNumber: true },
  { title: 'Size', isNumber: true },
  { title: 'Actions' },
];

function ModelTable({ models, ...acting }: Acting & { readonly models: readonly ModelReport[] }) {
  return (
    <PlainTable label="Read models" headings={headings}>
      {models.map((model) => (
        <ModelRow key={model.projection} model={model} {...acting} />
      ))}
    </PlainTable>
  );
}

function ModelRow({ model, ...acting }: Acting & { readonly model: ModelReport }) {
  const { projection, state, servingLabel, otherVersions, lagEvents, lagSeconds, lastError, building } =
    model;
  const isBad = state === 'halted' || state === 'unseen';
  return (
    <Table.Tr>
      <Table.Th scope="row" className="nowrap">
        {projection}
      </Table.Th>
      <Table.Td>
        <span className={isBad ? 'state bad' : `state ${state ?? 'elsewhere'}`}>
          {state === null ? 'is kept by another process' : (states[state] ?? state)}
        </span>
        {building !== null && (
          <Text size="xs" c="dimmed">
            version {building.label} is being built, {plural(building.events, 'event')} by now
          </Text>
        )}
        {lastError !== null && (
          <Text size="xs" className="bad">
            {lastError}
          </Text>
        )}
      </Table.Td>
      <Table.Td className="nowrap">
        {servingLabel}
        {otherVersions.length > 0 && (
          <Text size="xs" c="dimmed">
            and {plural(otherVersions.length, 'other')} kept
          </Text>
        )}
      </Table.Td>
      <Table.Td className="number nowrap">
        {lagEvents === 0 ? 'none' : `${eventsBehind(lagEvents)}, ${duration(lagSeconds)}`}
      </Table.Td>
      <Table.Td className="number">{rate(model.eventsPerSecond)}</Table.Td>
      <Table.Td className="number nowrap">{model.bytes === null ? 'not known' : bytes(model.bytes)}</Table.Td>
      <Table.Td>
        <ModelActions model={model} {...acting} />
      </Table.Td>
    </Table.Tr>
  );
}

function ModelActions({ model, give, ask }: Acting & { readonly model: ModelReport }) {
  const { projection, state, otherVersions } = model;
  const item = (operation: Operation, label: string) => (
    <Menu.Item onClick={() => give({ operation, projection })}>{label}</Menu.Item>
  );
  const drop = (): void =>
    ask({
      command: { operation: 'drop', projection },
      title: `Drop versions of ${projection}?`,
      text: `Every version of ${projection} that does not serve will be removed for good: ${plural(otherVersions.length, 'version')}. There is no way back to ${otherVersions.length === 1 ? 'it' : 'them'}; the log can always be built from anew.`,
      action: `Drop ${plural(otherVersions.length, 'version')}`,
    });
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" size="compact-sm" aria-label={`Actions for ${projection}`}>
          Actions
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {item('rebuild', 'Rebuild beside the one that serves')}
        {item('verify', 'Compare with a rebuilt one')}
        {state === 'paused' ? item('resume', 'Resume') : item('pause', 'Pause')}
        {otherVersions.length > 0 && item('rollback', 'Let the version before serve again')}
        {otherVersions.length > 0 && (
          <Menu.Item color="red" onClick={drop}>
            Drop versions that do not serve…
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}

interface SnapshotsProps {
  readonly snapshots: readonly SnapshotReport[];
  readonly ask: (question: Question) => void;
}

function Snapshots({ snapshots, ask }: SnapshotsProps) {
  const drop = (): void =>
    ask({
      command: { operation: 'drop-snapshots' },
      title: 'Remove the snapshots?',
      text: `All ${plural(snapshots.length, 'snapshot')} will be removed. Nothing is lost: the next command on each of these streams reads it from the beginning once.`,
      action: `Remove ${plural(snapshots.length, 'snapshot')}`,
    });
  return (
    <Panel
      title="Snapshots of long streams"
      aside={
        snapshots.length > 0 && (
          <Button variant="default" size="xs" onClick={drop}>
            Remove all…
          </Button>
        )
      }
    >
      {snapshots.length === 0 ? (
        <Empty>There are none: no stream was long enough yet.</Empty>
      ) : (
        <PlainTable
          label="Snapshots"
          headings={[
            { title: 'Stream' },
            { title: 'Fold' },
            { title: 'Revision', isNumber: true },
            { title: 'Written' },
            { title: 'Size', isNumber: true },
          ]}
        >
          {snapshots.map(({ stream, fold, revision, writtenAt, bytes: size }) => (
            <Table.Tr key={`${stream} ${fold}`}>
              <Table.Th scope="row">{stream}</Table.Th>
              <Table.Td>{fold}</Table.Td>
              <Table.Td className="number">{count(revision)}</Table.Td>
              <Table.Td className="nowrap">
                <Time at={Date.parse(writtenAt)} relative />
              </Table.Td>
              <Table.Td className="number nowrap">{bytes(size)}</Table.Td>
            </Table.Tr>
          ))}
        </PlainTable>
      )}
    </Panel>
  );
}
