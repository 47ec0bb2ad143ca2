import { Button, Menu, Table, Text } from '@mantine/core';
import { useState } from 'react';
import {
  isRunning,
  keptByNobody,
  useOperationsAndSnapshots,
  useCommand,
  useProjections,
  type ModelReport,
  type Operation,
  type Command,
  type CommandReport,
} from '../../api/operations.js';
import { Confirm } from '../../components/confirm.js';
import { bytes, duration, eventsBehind, plural, rate } from '../../components/numbers.js';
import { Empty, Failed, Loaded, PageHead, Panel } from '../../components/states.js';
import { PlainTable } from '../../components/table.js';
import { BuildProgress } from './build-progress.js';
import { CommandProgress } from './command-progress.js';
import { Unkept } from './unkept.js';
import { Snapshots, type Question } from './snapshots.js';

/** The read models with their operations, and the snapshots of long streams. */
export function Models() {
  const projections = useProjections();
  const operations = useOperationsAndSnapshots();
  const command = useCommand();
  const [question, setQuestion] = useState<Question | null>(null);
  const give = (wanted: Command): void => command.mutate(wanted);
  const isBusy = (projection: string | null): boolean =>
    command.isPending || isRunning(operations.data?.orders ?? [], projection);
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
            {({ projections: models, head }) => (
              <>
                <Unkept models={models} />
                <ModelTable models={models} head={head} isBusy={isBusy} give={give} ask={setQuestion} />
              </>
            )}
          </Loaded>
        </Panel>
        <Panel title="Commands">
          <Loaded query={operations} of="the commands">
            {({ orders }) => <Commands commands={orders} />}
          </Loaded>
        </Panel>
        <Loaded query={operations} of="the snapshots">
          {({ snapshots, snapshot_count: all }) => (
            <Snapshots snapshots={snapshots} all={all} isBusy={isBusy(null)} ask={setQuestion} />
          )}
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

function Commands({ commands }: { readonly commands: readonly CommandReport[] }) {
  if (commands.length === 0)
    return <Empty>None since the server started. Earlier commands are in the log.</Empty>;
  return (
    <div className="stack small">
      {commands.slice(0, 12).map((one) => (
        <CommandProgress key={one.id} command={one} />
      ))}
    </div>
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
  /** Whether a command is being sent, or an operation on the model is running: the server refuses another one. */
  readonly isBusy: (projection: string) => boolean;
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

interface ModelTableProps extends Acting {
  readonly models: readonly ModelReport[];
  readonly head: number | null;
}

function ModelTable({ models, head, ...acting }: ModelTableProps) {
  const isUnkept = keptByNobody(models) !== null;
  return (
    <PlainTable label="Read models" headings={headings}>
      {models.map((model) => (
        <ModelRow key={model.projection} model={model} head={head} isUnkept={isUnkept} {...acting} />
      ))}
    </PlainTable>
  );
}

interface ModelRowProps extends Acting {
  readonly model: ModelReport;
  /** Whether no running process keeps the read models, so that nothing can change them. */
  readonly isUnkept: boolean;
  /** Position of the last event of the log; null: the log is empty. */
  readonly head: number | null;
}

function ModelRow({ model, head, ...acting }: ModelRowProps) {
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
          {state === null ? 'is kept by no running process' : (states[state] ?? state)}
        </span>
        {building !== null && <BuildProgress projection={projection} building={building} head={head} />}
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

function ModelActions({ model, isUnkept, isBusy, give, ask }: Omit<ModelRowProps, 'head'>) {
  const { projection, state, otherVersions } = model;
  const item = (operation: Operation, label: string) => (
    <Menu.Item
      disabled={isBusy(projection) || (isUnkept && operation !== 'verify')}
      onClick={() => give({ operation, projection })}
    >
      {label}
    </Menu.Item>
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
          <Menu.Item color="red" disabled={isBusy(projection) || isUnkept} onClick={drop}>
            Drop versions that do not serve…
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
