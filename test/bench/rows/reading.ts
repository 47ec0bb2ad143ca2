import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ApiClient } from '../../support/api-client.js';
import { besides, type BenchRow, type Measurement, type Size } from '../measurement.js';
import { putUnderLoad, type LoadRequest, type LoadResult } from '../support/load.js';
import { createChannel, pageRequest, sendMessages } from '../support/requests.js';
import { inRounds, type Samples } from '../support/rounds.js';
import { authorizationOf, ownerOf, ServerProcess, startProduct } from '../support/server-process.js';
import { inTemporaryFolder } from '../support/temporary-folder.js';

const CONNECTIONS = 50;
const MESSAGES_ON_PAGE = 100;
/** More messages than the server caches in rendered form. */
const MESSAGES = 20_000;
const PLACES = 100;

/** Reading pages of messages, compared to an endpoint of the same framework that serializes the same objects. */
export const readingRow: BenchRow = {
  name: 'reading',
  measure: (size) => inTemporaryFolder((folder) => measure(folder, size)),
};

async function measure(folder: string, { quick }: Size): Promise<readonly Measurement[]> {
  const product = await startProduct(folder);
  try {
    const owner = await ownerOf(product, folder);
    const channelId = await createChannel(owner, 'load');
    await sendMessages(owner, channelId, quick ? 3 * MESSAGES_ON_PAGE : MESSAGES);
    const bare = await startBare(folder, owner);
    try {
      const pages = {
        all: pageRequest(authorizationOf(owner)),
        channel: pageRequest(authorizationOf(owner), channelId),
        elsewhere: pagesEverywhere(authorizationOf(owner)),
      };
      const seconds = quick ? 1 : 3;
      const load =
        (site: string, ...requests: readonly LoadRequest[]) =>
        (): Promise<LoadResult> =>
          putUnderLoad({ site, requests, connections: CONNECTIONS, seconds });
      const results = await inRounds(
        { count: quick ? 1 : 4, warmUp: true },
        {
          bare: load(bare.site, pages.all),
          all: load(product.site, pages.all),
          channel: load(product.site, pages.channel),
          elsewhere: load(product.site, ...pages.elsewhere),
        },
      );
      return report(results, seconds);
    } finally {
      await bare.stop();
    }
  } finally {
    await product.stop();
  }
}

/** Pages that are far apart, so that the cache of the newest messages does not help. */
function pagesEverywhere(authorization: string): readonly LoadRequest[] {
  return Array.from({ length: PLACES }, (_, index) => {
    const anchor = MESSAGES_ON_PAGE + ((index * 37) % PLACES) * (MESSAGES / PLACES);
    const query = `anchor=${anchor}&num_before=${MESSAGES_ON_PAGE - 1}&num_after=0`;
    return { ...pageRequest(authorization), path: `/api/v1/messages?${query}` };
  });
}

/** Starts a baseline endpoint that answers the same reply as the product. */
async function startBare(folder: string, owner: ApiClient): Promise<ServerProcess> {
  const bareFolder = join(folder, 'bare');
  await mkdir(bareFolder);
  const page = await owner.must('get', 'messages', {
    anchor: 'newest',
    num_before: MESSAGES_ON_PAGE,
    num_after: 0,
  });
  const { length } = page['messages'] as readonly unknown[];
  if (length !== MESSAGES_ON_PAGE) throw new Error(`A page holds ${length} messages`);
  const file = join(bareFolder, 'page.json');
  await writeFile(file, JSON.stringify(page));
  return ServerProcess.start({ entry: 'bare-server.js', arguments: [file], folder: bareFolder });
}

function report(
  {
    bare,
    all,
    channel,
    elsewhere,
  }: Readonly<Record<'bare' | 'all' | 'channel' | 'elsewhere', Samples<LoadResult>>>,
  seconds: number,
): readonly Measurement[] {
  const kilobytes = Math.round((bare[0]?.bytesPerReply ?? 0) / 1000);
  const work = `${CONNECTIONS} connections, ${all.length} × ${seconds} s, ${kilobytes} kB a reply; authenticated, from the read model`;
  const theirs = {
    what: 'bare Nest endpoint, the same 100 objects',
    samples: bare.map(({ rate }) => rate),
  };
  const beside = (results: Samples<LoadResult>): ReturnType<typeof besides> =>
    besides(
      results.map(({ rate }) => rate),
      theirs,
      { ours: 'pages/s', theirs: 'pages/s' },
    );
  return [
    { what: 'read the newest 100 messages', ...beside(all), target: { atLeast: 0.6 }, work },
    { what: 'read the newest 100 of a channel', ...beside(channel), target: { atLeast: 0.6 }, work },
    {
      what: 'read 100 messages, each time elsewhere',
      ...beside(elsewhere),
      target: null,
      work: `${work}; no two pages in a row hold the same messages`,
    },
  ];
}
