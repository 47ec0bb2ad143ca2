import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { StoredEvent } from '../../../src/stores/event-store/port.js';
import { openTemporaryStores } from '../../support/temporary-stores.js';
import { besides, quantity, type BenchRow, type Measurement, type Size } from '../measurement.js';
import { putUnderLoad, type LoadResult } from '../support/load.js';
import { createChannel, renderRequests, sendRequests } from '../support/requests.js';
import { inRounds, median, type Samples } from '../support/rounds.js';
import { measureSendParts, type SendParts } from '../support/send-parts.js';
import { authorizationOf, ownerOf, ServerProcess, startProduct } from '../support/server-process.js';
import { encodedSamples, eventsLike, take } from '../support/stored-samples.js';
import { inTemporaryFolder } from '../support/temporary-folder.js';

type Results = Readonly<Record<'product' | 'bare' | 'storingNothing', Samples<LoadResult>>>;

const CONNECTIONS = 50;
const CORES = 2;

/** Sending messages over HTTP, compared to an endpoint of the same framework that reads the same form. */
export const sendingRow: BenchRow = {
  name: 'sending',
  measure: (size) => inTemporaryFolder((folder) => measure(folder, size)),
};

async function measure(folder: string, { quick }: Size): Promise<readonly Measurement[]> {
  const bareFolder = join(folder, 'bare');
  await mkdir(bareFolder);
  const product = await startProduct(folder);
  const bare = await ServerProcess.start({ entry: 'bare-server.js', folder: bareFolder });
  try {
    const owner = await ownerOf(product, folder);
    const authorization = authorizationOf(owner);
    const requests = sendRequests(await createChannel(owner, 'load'), authorization);
    const seconds = quick ? 1 : 4;
    const load = { requests, connections: CONNECTIONS, seconds };
    const rendering = { ...load, requests: renderRequests(authorization) };
    const results = await inRounds(
      { count: quick ? 1 : 5, warmUp: true },
      {
        bare: () => putUnderLoad({ site: bare.site, ...load }),
        product: () => putUnderLoad({ site: product.site, ...load }),
        storingNothing: () => putUnderLoad({ site: product.site, ...rendering }),
      },
    );
    const parts = await measureSendParts({
      folder,
      together: CONNECTIONS,
      events: await sampleEvents(quick ? 1_000 : 20_000),
      models: join(folder, 'models'),
    });
    return [...report(results, seconds), reportParts(results, parts)];
  } finally {
    await Promise.all([product.stop(), bare.stop()]);
  }
}

/** Messages in stored form. */
async function sampleEvents(count: number): Promise<readonly StoredEvent[]> {
  const stores = await openTemporaryStores();
  try {
    return take(eventsLike(await encodedSamples(stores.codec)), count);
  } finally {
    await stores.dispose();
  }
}

/**
 * The rate if all parts ran at full speed. The bare endpoint and its load generator together use two cores; the
 * other parts are spread over two cores, and nothing ever waits.
 */
function reportParts(
  { product, bare }: Results,
  { encrypting, storing, rendering, inserting }: SendParts,
): Measurement {
  const seconds =
    1 / median(bare.map(({ rate }) => rate)) + (encrypting + storing + rendering + inserting) / CORES;
  const rate = median(product.map((result) => result.rate));
  const microseconds = (part: number): string => quantity(part * 1e6, 'µs');
  return {
    what: 'send over HTTP',
    ours: quantity(rate, 'requests/s'),
    beside: {
      what: `all its parts, each alone, on ${CORES} cores`,
      result: quantity(1 / seconds, 'requests/s'),
    },
    ratio: rate * seconds,
    target: null,
    work: `a message: bare endpoint; encrypting and hashing ${microseconds(encrypting)}, storing key and event ${microseconds(storing)}, rendering ${microseconds(rendering)}, inserting ${microseconds(inserting)}`,
  };
}

function report(results: Results, seconds: number): readonly Measurement[] {
  const load = `${CONNECTIONS} connections, ${results.product.length} × ${seconds} s`;
  const work = `${load}; encrypted, synced and in the read model before the reply`;
  const besideBare = (
    what: 'product' | 'storingNothing',
    figure: 'rate' | 'p99',
  ): ReturnType<typeof besides> => {
    const unit = figure === 'rate' ? 'requests/s' : 'ms';
    return besides(
      results[what].map((result) => result[figure]),
      { what: 'bare Nest endpoint', samples: results.bare.map((result) => result[figure]) },
      { ours: unit, theirs: unit },
    );
  };
  return [
    { what: 'send over HTTP', ...besideBare('product', 'rate'), target: { atLeast: 0.25 }, work },
    {
      what: 'send over HTTP, 99th percentile',
      ...besideBare('product', 'p99'),
      target: { atMost: 5 },
      work,
    },
    {
      what: 'render over HTTP',
      ...besideBare('storingNothing', 'rate'),
      target: null,
      work: `${load}; the same texts by the same way in, and nothing stored`,
    },
  ];
}
