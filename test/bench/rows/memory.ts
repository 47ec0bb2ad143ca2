import type { ApiClient } from '../../support/api-client.js';
import { quantity, type BenchRow, type Measurement, type Size } from '../measurement.js';
import { serveArchive } from '../support/archive.js';
import { putUnderLoad } from '../support/load.js';
import { pageRequest, sendRequests } from '../support/requests.js';
import { peakMegabytes, residentMegabytes } from '../support/resident-memory.js';
import { authorizationOf, type ServerProcess } from '../support/server-process.js';
import { inTemporaryFolder } from '../support/temporary-folder.js';

const MAX_MEGABYTES = 300;
const CONNECTIONS = 10;

/** Resident memory of a server that received many messages and serves them. */
export const memoryRow: BenchRow = {
  name: 'memory',
  measure: (size) => inTemporaryFolder((folder) => measure(folder, size)),
};

async function measure(folder: string, { quick }: Size): Promise<readonly Measurement[]> {
  const messages = quick ? 5_000 : 100_000;
  const { product, owner, channelId } = await serveArchive(folder, messages);
  try {
    await readAndSend(product, { owner, messages, channelId });
    const megabytes = await residentMegabytes(product.pid);
    const peak = await peakMegabytes(product.pid);
    return [
      {
        what: 'resident memory of the server',
        ours: `${quantity(megabytes, 'MB')}, at most ${quantity(peak, 'MB')}`,
        beside: { what: 'bound', result: `${MAX_MEGABYTES} MB` },
        ratio: megabytes / MAX_MEGABYTES,
        target: { atMost: 1 },
        work: `${messages.toLocaleString('en')} messages projected by this process, then ${CONNECTIONS} connections reading all over them and sending, 3 s each`,
      },
    ];
  } finally {
    await product.stop();
  }
}

/** People who return: each reads at a different place, and sends a message. */
async function readAndSend(
  { site }: ServerProcess,
  {
    owner,
    messages,
    channelId,
  }: { readonly owner: ApiClient; readonly messages: number; readonly channelId: number },
): Promise<void> {
  const authorization = authorizationOf(owner);
  const pages = Array.from({ length: 500 }, (_, index) => ({
    ...pageRequest(authorization),
    path: `/api/v1/messages?anchor=${Math.floor((index * messages) / 500)}&num_before=50&num_after=50`,
  }));
  await putUnderLoad({ site, requests: pages, connections: CONNECTIONS, seconds: 3 });
  await putUnderLoad({
    site,
    requests: sendRequests(channelId, authorization),
    connections: CONNECTIONS,
    seconds: 3,
  });
}
