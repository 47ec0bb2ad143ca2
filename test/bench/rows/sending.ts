import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { besides, type BenchRow, type Measurement, type Size } from '../measurement.js';
import { putUnderLoad, type LoadResult } from '../support/load.js';
import { createChannel, sendRequests } from '../support/requests.js';
import { inRounds, type Samples } from '../support/rounds.js';
import { authorizationOf, ownerOf, ServerProcess, startProduct } from '../support/server-process.js';
import { inTemporaryFolder } from '../support/temporary-folder.js';

const CONNECTIONS = 50;

/** Sending messages over HTTP, beside an endpoint of the same framework that reads the same form. */
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
    const requests = sendRequests(await createChannel(owner, 'load'), authorizationOf(owner));
    const seconds = quick ? 1 : 4;
    const load = { requests, connections: CONNECTIONS, seconds };
    const results = await inRounds(
      { count: quick ? 1 : 5, warmUp: true },
      {
        bare: () => putUnderLoad({ site: bare.site, ...load }),
        product: () => putUnderLoad({ site: product.site, ...load }),
      },
    );
    return report(results, seconds);
  } finally {
    await Promise.all([product.stop(), bare.stop()]);
  }
}

function report(
  { product, bare }: Readonly<Record<'product' | 'bare', Samples<LoadResult>>>,
  seconds: number,
): readonly Measurement[] {
  const work = `${CONNECTIONS} connections, ${product.length} × ${seconds} s; encrypted, synced and in the read model before the reply`;
  const beside = (figure: 'rate' | 'p99', unit: string): ReturnType<typeof besides> =>
    besides(
      product.map((result) => result[figure]),
      { what: 'bare Nest endpoint', samples: bare.map((result) => result[figure]) },
      { ours: unit, theirs: unit },
    );
  return [
    { what: 'send over HTTP', ...beside('rate', 'requests/s'), target: { atLeast: 0.25 }, work },
    { what: 'send over HTTP, 99th percentile', ...beside('p99', 'ms'), target: { atMost: 5 }, work },
  ];
}
