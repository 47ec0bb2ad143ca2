import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { quantity, type BenchRow, type Measurement, type Size } from '../measurement.js';
import { inRounds, median, type Samples } from '../support/rounds.js';
import { inTemporaryFolder } from '../support/temporary-folder.js';
import type { BareAppends } from './bare-client.js';
import { besideEmbedded } from './beside-embedded.js';
import { makeContenders, startBoth, stopBoth, type Contender, type Contenders } from './contender.js';
import { openMeasuredLog, type MeasuredLog } from './measured-log.js';
import { measureWriting, STEPS } from './writing.js';

/** The product on EventStoreDB, or its stand-in, compared to the product on embedded stores and to the bare client. */
export const onEventStoreDbRow: BenchRow = {
  name: 'on-eventstoredb',
  measure: (size) => inTemporaryFolder((folder) => measure(folder, size)),
};

async function measure(folder: string, size: Size): Promise<readonly Measurement[]> {
  const log = await openMeasuredLog();
  const contenders = await makeContenders(
    folder,
    { servers: { EVENTSTORE_URL: log.url } },
    size.quick ? 2_000 : 30_000,
  );
  try {
    const starting = await measureStarting(contenders, size);
    await startBoth(contenders);
    const writing = await measureWriting(contenders, log, size);
    return [...writing, ...starting, ...(await measureBare(log, size))];
  } finally {
    await stopBoth(contenders);
    await log.close();
  }
}

/** Starts that read the whole log, and starts that do not have to. */
async function measureStarting(
  { embedded, servers }: Contenders,
  { quick }: Size,
): Promise<readonly Measurement[]> {
  const rounds = { count: quick ? 1 : 3, warmUp: false };
  const work = `${rounds.count} ×, on a log of ${quick ? '2,000' : '30,000'} messages; everything is shown in the end`;
  const compare = async (
    what: string,
    task: (contender: Contender) => Promise<number>,
    atLeast: number,
  ): Promise<Measurement> => {
    const seconds = await inRounds(rounds, {
      embedded: () => task(embedded),
      servers: () => task(servers),
    });
    return { ...besideEmbedded(what, seconds, 's'), target: { atLeast }, work };
  };
  return [
    await compare('first start after an import', (contender) => contender.startAnew(), 0.7),
    await compare('audit verify', (contender) => contender.run('audit', 'verify'), 0.5),
    await compare('restart', (contender) => contender.startOnce(), 0.75),
  ];
}

/**
 * The client without the product. It comes last, because it leaves events in the log that the product does not
 * know.
 */
async function measureBare(log: MeasuredLog, { quick }: Size): Promise<readonly Measurement[]> {
  const measurements: Measurement[] = [];
  for (const { connections } of STEPS) {
    const bare = (): Promise<number> =>
      bareRate({ url: log.url, callers: connections, seconds: quick ? 1 : 3 });
    const { rates } = await inRounds({ count: quick ? 1 : 3, warmUp: true }, { rates: bare });
    measurements.push(bareMeasurement(connections, rates));
  }
  return measurements;
}

function bareMeasurement(connections: number, rates: Samples): Measurement {
  return {
    what: `bare client: append, ${connections} at a time`,
    ours: quantity(median(rates), 'appends/s'),
    beside: null,
    ratio: Number.NaN,
    target: null,
    work: 'an event of a message’s size in each, nothing encrypted and nothing shown',
  };
}

async function bareRate(appends: BareAppends): Promise<number> {
  const child = fork(fileURLToPath(new URL('bare-client.js', import.meta.url)));
  const ended = once(child, 'exit');
  child.send(appends);
  const [rate] = (await Promise.race([
    once(child, 'message'),
    ended.then(() => Promise.reject(new Error('The bare client failed'))),
  ])) as [number];
  await ended;
  return rate;
}
