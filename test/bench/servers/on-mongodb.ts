import { dropDatabase, newDatabaseUrl } from '../../support/mongodb-database.js';
import { quantity, type BenchRow, type Measurement, type Size } from '../measurement.js';
import { putUnderLoad, type LoadRequest, type LoadResult } from '../support/load.js';
import { inRounds, median, medianRatio, type Rounds, type Samples } from '../support/rounds.js';
import { inTemporaryFolder } from '../support/temporary-folder.js';
import { findNewest } from './bare-find.js';
import { besideEmbedded } from './beside-embedded.js';
import { makeContenders, startBoth, stopBoth, type Contender, type Contenders } from './contender.js';
import { readRequests } from './read-requests.js';

/**
 * The product with its read models, keys, credentials and queues in MongoDB, compared to embedded stores. Both logs
 * are embedded.
 */
export const onMongoDbRow: BenchRow = {
  name: 'on-mongodb',
  measure: (size) => inTemporaryFolder((folder) => measureWhereGiven(folder, size)),
};

const CONNECTIONS = 4;

/**
 * Reactors are off, because they would process every message of the log meanwhile. The timeout is long, because a
 * server that scans takes longer than an ordinary timeout.
 */
const PATIENT = { REACTORS: 'off', QUERY_TIMEOUT_SECONDS: '120' };

/** The amounts to measure. */
interface Amounts {
  readonly messages: number;
  /** Of each kind, in each round. */
  readonly requests: number;
  readonly rounds: Rounds;
}

function amountsOf({ quick }: Size): Amounts {
  return quick
    ? { messages: 120, requests: 8, rounds: { count: 1, warmUp: false } }
    : { messages: 20_000, requests: 200, rounds: { count: 3, warmUp: true } };
}

async function measureWhereGiven(folder: string, size: Size): Promise<readonly Measurement[]> {
  if (process.env['MONGODB_URL'] !== undefined) return measure(folder, amountsOf(size));
  process.stderr.write('on-mongodb is not measured: MONGODB_URL names no server to make a database on\n');
  return [];
}

async function measure(folder: string, amounts: Amounts): Promise<readonly Measurement[]> {
  const url = newDatabaseUrl();
  try {
    const contenders = await makeContenders(
      folder,
      { servers: { MONGODB_URL: url }, both: PATIENT },
      amounts.messages,
    );
    try {
      await startBoth(contenders);
      return await measureServing(contenders, url, amounts);
    } finally {
      await stopBoth(contenders);
    }
  } finally {
    await dropDatabase(url);
  }
}

async function measureServing(
  contenders: Contenders,
  url: string,
  amounts: Amounts,
): Promise<readonly Measurement[]> {
  const measurements: Measurement[] = [];
  for (const { what, requestsOf } of readRequests(amounts.messages)) {
    const medians = mediansOf(await underLoad(contenders, requestsOf, amounts));
    measurements.push(told({ ...besideEmbedded(what, medians, 'ms'), target: null, work: workOf(amounts) }));
  }
  measurements.push(told(await measureBare(contenders, url, amounts)));
  return [...measurements, told(await measureRebuild(contenders, amounts))];
}

/** Prints each result immediately, because a server that scans takes long for each. */
function told(measurement: Measurement): Measurement {
  const { what, ours, beside } = measurement;
  process.stderr.write(`  ${what}: ${ours}; ${beside?.what}: ${beside?.result}\n`);
  return measurement;
}

type RequestsOf = (contender: Contender) => Promise<readonly LoadRequest[]>;
type Both<Sample> = Readonly<Record<keyof Contenders, Samples<Sample>>>;

async function underLoad(
  { embedded, servers }: Contenders,
  requestsOf: RequestsOf,
  { requests: amount, rounds }: Amounts,
): Promise<Both<LoadResult>> {
  const [onEmbedded, onServers] = [await requestsOf(embedded), await requestsOf(servers)];
  const load = ({ product }: Contender, requests: readonly LoadRequest[]): Promise<LoadResult> =>
    putUnderLoad({ site: product.site, requests, connections: CONNECTIONS, seconds: 0, amount });
  return inRounds(rounds, {
    embedded: () => load(embedded, onEmbedded),
    servers: () => load(servers, onServers),
  });
}

/** The median request time in milliseconds: with so few requests, the generator's rate is only accurate to seconds. */
function mediansOf({ embedded, servers }: Both<LoadResult>): Both<number> {
  return { embedded: embedded.map(({ p50 }) => p50), servers: servers.map(({ p50 }) => p50) };
}

/** The cost of the MongoDB server itself: finds the same documents with the driver alone. */
async function measureBare({ servers }: Contenders, url: string, amounts: Amounts): Promise<Measurement> {
  const [page] = readRequests(amounts.messages).filter(({ isOfStore }) => isOfStore);
  if (page === undefined) throw new Error('There is no page that is read from the store');
  const requests = await page.requestsOf(servers);
  const load = { site: servers.product.site, requests, connections: CONNECTIONS, seconds: 0 };
  const { ours, bare } = await inRounds(amounts.rounds, {
    ours: async () => (await putUnderLoad({ ...load, amount: amounts.requests })).p50,
    bare: () => findNewest(url, { times: amounts.requests, atOnce: CONNECTIONS }),
  });
  return {
    what: page.what,
    ours: quantity(median(ours), 'ms'),
    beside: { what: 'bare driver, 100 documents by their ids', result: quantity(median(bare), 'ms') },
    ratio: medianRatio(bare, ours),
    target: null,
    work: workOf(amounts),
  };
}

async function measureRebuild({ embedded, servers }: Contenders, amounts: Amounts): Promise<Measurement> {
  const rebuild = (contender: Contender) => (): Promise<number> =>
    contender.run('projections', 'rebuild', 'messages');
  const seconds = await inRounds(
    { ...amounts.rounds, warmUp: false },
    { embedded: rebuild(embedded), servers: rebuild(servers) },
  );
  return { ...besideEmbedded('rebuild the messages', seconds, 's'), target: null, work: workOf(amounts) };
}

function workOf({ messages, requests, rounds }: Amounts): string {
  const amount = (count: number): string => count.toLocaleString('en');
  return `${amount(messages)} messages; ${rounds.count} × ${requests} requests, ${CONNECTIONS} at a time, without reactors`;
}
