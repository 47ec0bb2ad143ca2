import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { quantity, type BenchRow, type Measurement, type Size } from '../measurement.js';
import { inRounds, median, type Samples } from '../support/rounds.js';
import { inTemporaryFolder } from '../support/temporary-folder.js';
import type { BareAppends } from './bare-client.js';
import { besideEmbedded } from './beside-embedded.js';
import { Contender } from './contender.js';
import { openMeasuredLog, type MeasuredLog } from './measured-log.js';
import { measureWriting, STEPS } from './writing.js';

/** What stands beside each other: the same, but for where the log is. */
export interface LogContenders {
  readonly embedded: Contender;
  readonly servers: Contender;
}

/** The product on EventStoreDB, or its stand-in, beside the product on embedded stores, and the bare client. */
export const onEventStoreDbRow: BenchRow = {
  name: 'on-eventstoredb',
  measure: (size) => inTemporaryFolder((folder) => measure(folder, size)),
};

async function measure(folder: string, size: Size): Promise<readonly Measurement[]> {
  const log = await openMeasuredLog();
  const contenders = await makeContenders(folder, log, size.quick ? 2_000 : 30_000);
  try {
    const starting = await measureStarting(contenders, size);
    await Promise.all([contenders.embedded.start(), contenders.servers.start()]);
    const writing = await measureWriting(contenders, log, size);
    return [...writing, ...starting, ...(await measureBare(log, size))];
  } finally {
    await Promise.all([contenders.embedded.stop(), contenders.servers.stop()]);
    await log.close();
  }
}

async function makeContenders(folder: string, log: MeasuredLog, messages: number): Promise<LogContenders> {
  const [own, onServers] = [join(folder, 'embedded'), join(folder, 'servers')];
  await Promise.all([mkdir(own), mkdir(onServers)]);
  return {
    embedded: await Contender.make(own, {}, messages),
    servers: await Contender.make(onServers, { EVENTSTORE_URL: log.url }, messages),
  };
}

/** Everything that reads the whole log, and what does not have to. */
async function measureStarting(
  { embedded, servers }: LogContenders,
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

/** What the client does without the product; it leaves events in the log that nobody knows, and so comes last. */
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
