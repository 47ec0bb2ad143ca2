import { Button, Table, Text } from '@mantine/core';
import type { Command, SnapshotReport } from '../../api/operations.js';
import { bytes, count, plural } from '../../components/numbers.js';
import { Empty, Panel } from '../../components/states.js';
import { PlainTable } from '../../components/table.js';
import { Time } from '../../components/time.js';

/** A question before something that cannot be undone. */
export interface Question {
  readonly command: Command;
  readonly title: string;
  readonly text: string;
  readonly action: string;
}

const headings = [
  { title: 'Stream' },
  { title: 'Fold' },
  { title: 'Revision', isNumber: true },
  { title: 'Written' },
  { title: 'Size', isNumber: true },
];

interface SnapshotsProps {
  /** The newest ones. */
  readonly snapshots: readonly SnapshotReport[];
  /** The number of all. */
  readonly all: number;
  readonly isBusy: boolean;
  readonly ask: (question: Question) => void;
}

/** The snapshots of long streams. */
export function Snapshots({ snapshots, all, isBusy, ask }: SnapshotsProps) {
  const drop = (): void =>
    ask({
      command: { operation: 'drop-snapshots' },
      title: 'Remove the snapshots?',
      text: `All ${plural(all, 'snapshot')} will be removed. Nothing is lost: the next command on each of these streams reads it from the beginning once.`,
      action: `Remove ${plural(all, 'snapshot')}`,
    });
  return (
    <Panel
      title="Snapshots of long streams"
      aside={
        all > 0 && (
          <Button variant="default" size="xs" disabled={isBusy} onClick={drop}>
            Remove all…
          </Button>
        )
      }
    >
      {snapshots.length === 0 ? (
        <Empty>There are none: no stream was long enough yet.</Empty>
      ) : (
        <PlainTable label="Snapshots" headings={headings}>
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
      {all > snapshots.length && (
        <Text size="sm" c="dimmed" mt="xs">
          The newest {count(snapshots.length)} of {count(all)}.
        </Text>
      )}
    </Panel>
  );
}
