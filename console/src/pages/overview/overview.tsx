import { Anchor } from '@mantine/core';
import { Link } from 'wouter';
import type { ReactNode } from 'react';
import { bytes, count, duration, rate, waitingCount } from '../../components/numbers.js';
import { Series, type SeriesProps } from '../../components/series.js';
import { Empty, Loaded, PageHead, Panel } from '../../components/states.js';
import { Time, useNow } from '../../components/time.js';
import { lagsOf, type NamedLine } from './lags.js';
import { Reactors } from './reactors.js';
import { UnderWay } from './under-way.js';
import { useOverview, type Figures, type OverviewNow, type Verdict } from './use-overview.js';

/** The status of the server at a glance. */
export function Overview() {
  const { query, figures } = useOverview();
  return (
    <>
      <PageHead title="Overview" />
      <Loaded query={query} of="the overview">
        {({ overview }) => (
          <div className="stack">
            <VerdictPanel verdict={overview.verdict} at={query.dataUpdatedAt} />
            <Facts now={overview} />
            <Charts figures={figures} />
            <UnderWay />
            <Reactors />
          </div>
        )}
      </Loaded>
    </>
  );
}

const pagesOf = {
  models: ['/models', 'Read models'],
  'dead-letters': ['/dead-letters', 'Dead letters'],
} as const;

/** Age in milliseconds from which a verdict says nothing about the present. */
const OLD = 20_000;

/** @param props `at`: when the verdict was read, in milliseconds since the UNIX epoch */
function VerdictPanel({ verdict, at }: { readonly verdict: Verdict; readonly at: number }) {
  const isOld = useNow() - at > OLD;
  return (
    <section className={`verdict ${isOld ? 'old' : verdict.level}`} aria-label="Verdict" aria-live="polite">
      <p className="verdict-sentence">{verdict.sentence}</p>
      {isOld && (
        <p>
          As of <Time at={at} />: nothing newer could be read.
        </p>
      )}
      {verdict.findings.length > 0 && (
        <ul>
          {verdict.findings.map(({ what, todo, page }) => (
            <li key={what}>
              <b>{what}</b> {todo}{' '}
              {page !== null && (
                <Anchor component={Link} href={pagesOf[page][0]}>
                  {pagesOf[page][1]}
                </Anchor>
              )}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function Facts({ now }: { readonly now: OverviewNow }) {
  const { disk, queues, waiting, mailsFailed, notificationsFailed, lastSealAt, lastBackupAt } = now;
  return (
    <dl className="facts">
      <Fact name="Last seal">{lastSealAt === null ? 'none yet' : <Time at={lastSealAt} relative />}</Fact>
      <Fact name="Last backup">
        {lastBackupAt === null ? 'not known' : <Time at={lastBackupAt} relative />}
      </Fact>
      <Fact name="Disk left" aside={`of ${bytes(disk.totalBytes)}`}>
        {bytes(disk.freeBytes)}
      </Fact>
      <Fact name="Open queues" aside={bytes(queues.bytes)}>
        {count(queues.size)}
      </Fact>
      <Fact name="E-mails waiting" aside={inLastHour(mailsFailed, 'given up')}>
        {waitingCount(waiting.mails)}
      </Fact>
      <Fact name="Notifications waiting" aside={inLastHour(notificationsFailed, 'dropped')}>
        {waitingCount(waiting.notifications)}
      </Fact>
    </dl>
  );
}

function inLastHour(failed: number, verb: string): string {
  return failed === 0 ? `none ${verb}` : `${count(failed)} ${verb} in the last hour`;
}

function Fact({
  name,
  aside,
  children,
}: {
  readonly name: string;
  readonly aside?: string;
  readonly children: ReactNode;
}) {
  return (
    <div>
      <dt>{name}</dt>
      <dd className="numbers">{children}</dd>
      {aside !== undefined && <dd className="fact-aside numbers">{aside}</dd>}
    </div>
  );
}

const events = (value: number): string => `${rate(value)}/s`;

function Charts({ figures }: { readonly figures: Figures }) {
  return (
    <div className="charts">
      <Chart
        title="Events appended"
        lines={[['events a second', 'events']]}
        figures={figures}
        format={events}
        reach={1}
      />
      <Chart title="Lag of read models" {...lagsOf(figures, 'lag:')} format={duration} reach={1} />
      <Chart title="Lag of reactors" {...lagsOf(figures, 'reactor-lag:')} format={duration} reach={1} />
      <Chart
        title="Delay of event loops, 99 of 100"
        lines={['request', 'projector', 'readers'].map((name) => [name, `delay:${name}`] as const)}
        figures={figures}
        format={duration}
        reach={0.05}
      />
      <Chart
        title="Disk left"
        lines={[['disk left', 'freeBytes']]}
        figures={figures}
        format={bytes}
        reach={1024 ** 3}
      />
      <Chart
        title="Waiting"
        lines={[
          ['e-mails', 'mails'],
          ['notifications', 'notifications'],
          ['queues of clients', 'queues'],
        ]}
        figures={figures}
        format={count}
        reach={5}
        isWhole
      />
    </div>
  );
}

interface ChartProps extends Pick<SeriesProps, 'format' | 'reach' | 'isWhole'> {
  readonly title: string;
  readonly lines: readonly NamedLine[];
  readonly figures: Figures;
}

function Chart({ title, lines, figures, ...drawn }: ChartProps) {
  return (
    <Panel title={title}>
      {figures.at.length < 2 ? (
        <Empty>The first figures come within ten seconds.</Empty>
      ) : (
        <Series
          label={title}
          at={figures.at}
          lines={lines.map(([label, name]) => ({ label, values: figures.figures[name] ?? [] }))}
          {...drawn}
        />
      )}
    </Panel>
  );
}
