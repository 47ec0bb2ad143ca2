import { Button, Table, Text } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'wouter';
import { useApi } from '../../api/use-api.js';
import { useFilters } from '../../components/address.js';
import { count, plural } from '../../components/numbers.js';
import { Empty, Loaded, Panel } from '../../components/states.js';
import { PlainTable } from '../../components/table.js';
import { Time } from '../../components/time.js';

interface Seal {
  readonly number: number;
  readonly position: number;
  readonly at: number;
  /** Null: it is not readable. */
  readonly size: number | null;
  readonly root: string | null;
  readonly last: string | null;
  /** Null: it is not signed, or its signature is not valid. */
  readonly signer: string | null;
}

interface SealPage {
  readonly seals: readonly Seal[];
  readonly before: number | null;
}

/** Maximum number of seals drawn and listed at once. */
const PAGE = 100;
const ROWS = 10;

/** The seals of the log: on a time line, and as a list. */
export function Seals() {
  const [{ before: text }, change] = useFilters(['before']);
  const before = /^\d{1,15}$/.test(text) ? Number(text) : null;
  const [isWhole, showAll] = useState(false);
  const parameters = { limit: PAGE, ...(before !== null && { before }) };
  const show = (position: number | null): void =>
    change({ before: position === null ? '' : String(position) }, true);
  // Only the newest page changes.
  const query = useApi<SealPage>('audit/seals', parameters, { isReadOnce: before !== null });
  return (
    <Panel title="Seals">
      <Loaded query={query} of="the seals">
        {({ seals, before: next }) =>
          seals.length === 0 ? (
            <Empty>The log has no seal yet: the server makes the first one after some events.</Empty>
          ) : (
            <>
              <Line seals={seals} />
              <Text size="sm" c="dimmed" mt="xs">
                Seals and proofs are signed with two different keys, so their fingerprints differ.
              </Text>
              <SealTable seals={isWhole ? seals : seals.slice(0, ROWS)} />
              <div className="buttons">
                {!isWhole && seals.length > ROWS && (
                  <Button size="xs" variant="default" onClick={() => showAll(true)}>
                    All {count(seals.length)} of the line
                  </Button>
                )}
                {next !== null && (
                  <Button size="xs" variant="default" onClick={() => show(next)}>
                    Earlier seals
                  </Button>
                )}
                {before !== null && (
                  <Button size="xs" variant="default" onClick={() => show(null)}>
                    Newest seals
                  </Button>
                )}
              </div>
            </>
          )
        }
      </Loaded>
    </Panel>
  );
}

/** Each seal at its time, between the first and the last one shown. */
function Line({ seals }: { readonly seals: readonly Seal[] }) {
  const [newest, oldest] = [seals[0]!, seals.at(-1)!];
  const span = Math.max(1, newest.at - oldest.at);
  const label = `${plural(seals.length, 'seal')}; the newest covers ${plural(newest.size ?? 0, 'event')}`;
  return (
    <div className="seal-line">
      <svg role="img" aria-label={label} height="24" width="100%">
        <line x1="1%" x2="99%" y1="12" y2="12" />
        {seals.map(({ number, at, signer }) => (
          <circle
            key={number}
            className={signer === null ? 'unsigned' : undefined}
            cx={`${1 + (98 * (at - oldest.at)) / span}%`}
            cy="12"
            r="4"
          />
        ))}
      </svg>
      <div className="seal-ends">
        <Time at={oldest.at} />
        <Time at={newest.at} />
      </div>
    </div>
  );
}

const headings = [
  { title: 'Made' },
  { title: 'Events covered', isNumber: true },
  { title: 'Position', isNumber: true },
  { title: 'Last event' },
  { title: 'Root' },
  { title: 'Signed by' },
] as const;

function SealTable({ seals }: { readonly seals: readonly Seal[] }) {
  return (
    <PlainTable label="Seals of the log" headings={headings}>
      {seals.map(({ number, at, size, position, last, root, signer }) => (
        <Table.Tr key={number}>
          <Table.Td className="nowrap">
            <Time at={at} />
          </Table.Td>
          <Table.Td className="number">{size === null ? 'unreadable' : count(size)}</Table.Td>
          <Table.Td className="number">
            <Link href={`/log?from=${position}&to=${position}`}>{count(position)}</Link>
          </Table.Td>
          <Table.Td>{last !== null && <code>{last}</code>}</Table.Td>
          <Table.Td className="nowrap">
            {root !== null && <code title={root}>{root.slice(0, 12)}…</code>}
          </Table.Td>
          <Table.Td className="nowrap">
            {signer === null ? (
              'nobody, or not as it says'
            ) : (
              <code title={signer}>{signer.slice(0, 19)}…</code>
            )}
          </Table.Td>
        </Table.Tr>
      ))}
    </PlainTable>
  );
}
