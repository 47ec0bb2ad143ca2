import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { openStores } from '../../../src/stores.js';
import type { ApiClient } from '../../support/api-client.js';
import { quantity, type BenchRow, type Measurement, type Size } from '../measurement.js';
import { putUnderLoad } from '../support/load.js';
import { createChannel, pageRequest, sendRequests } from '../support/requests.js';
import { writeConversation, type SampleConversation } from '../support/sample-messages.js';
import { authorizationOf, ownerOf, startProduct, type ServerProcess } from '../support/server-process.js';
import { residentMegabytes } from '../support/resident-memory.js';
import { inTemporaryFolder } from '../support/temporary-folder.js';

const MOST_MEGABYTES = 300;
const CONNECTIONS = 10;

/** Resident memory of a server that has taken in and serves many messages. */
export const memoryRow: BenchRow = {
  name: 'memory',
  measure: (size) => inTemporaryFolder((folder) => measure(folder, size)),
};

async function measure(folder: string, { quick }: Size): Promise<readonly Measurement[]> {
  const messages = quick ? 5_000 : 100_000;
  const conversation = await begin(folder);
  await writeMessages(folder, conversation, messages);
  const product = await startProduct(folder);
  try {
    const owner = await ownerOf(product, folder);
    await untilReadable(owner, messages);
    await readAndSend(product, { owner, messages, channelId: conversation.channelId });
    const megabytes = await residentMegabytes(product.pid);
    return [
      {
        what: 'resident memory of the server',
        ours: quantity(megabytes, 'MB'),
        beside: { what: 'bound', result: `${MOST_MEGABYTES} MB` },
        ratio: megabytes / MOST_MEGABYTES,
        target: { atMost: 1 },
        work: `${messages.toLocaleString('en')} messages projected by this process, then ${CONNECTIONS} connections reading all over them and sending, 3 s each`,
      },
    ];
  } finally {
    await product.stop();
  }
}

/** Makes an organization with a channel. */
async function begin(folder: string): Promise<SampleConversation> {
  const product = await startProduct(folder);
  try {
    const owner = await ownerOf(product, folder);
    const { user_id: senderId } = await owner.must('get', 'users/me');
    return { senderId: senderId as number, channelId: await createChannel(owner, 'archive') };
  } finally {
    await product.stop();
  }
}

/** Into the log alone: the server is to follow it. */
async function writeMessages(folder: string, conversation: SampleConversation, count: number): Promise<void> {
  const stores = await openStores({
    dataDirectory: folder,
    eventStoreUrl: null,
    mongodbUrl: null,
    s3: null,
    serverKeyFile: join(folder, 'server.key'),
  });
  try {
    await writeConversation(stores.log, conversation, count);
  } finally {
    await stores.close();
  }
}

async function untilReadable(owner: ApiClient, messages: number): Promise<void> {
  for (;;) {
    const { body } = await owner.get('messages', { anchor: 'newest', num_before: 1, num_after: 0 });
    const [newest] = body['messages'] as { readonly id: number }[];
    if ((newest?.id ?? 0) >= messages) return;
    await pause(100);
  }
}

/** What people do who come back: everybody reads somewhere else, and writes. */
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
