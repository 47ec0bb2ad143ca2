import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ApiClient } from '../../support/api-client.js';
import { besides, quantity, spreadOf, type BenchRow, type Measurement, type Size } from '../measurement.js';
import { budgets } from '../../../src/kernel/budgets.js';
import { putUnderLoad, type Load, type LoadRequest, type LoadResult } from '../support/load.js';
import { createChannel, editRequests, sendRequests } from '../support/requests.js';
import { inRounds, median, type Samples } from '../support/rounds.js';
import { authorizationOf, ownerOf, ServerProcess, startProduct } from '../support/server-process.js';
import { inTemporaryFolder } from '../support/temporary-folder.js';
import { spentBetween, threadTimes, type SpentTime } from '../support/thread-time.js';

/** The number of concurrent sends, and the share of the floor's rate to be reached. */
const STEPS = [
  { connections: 1, share: 0.4 },
  { connections: 10, share: 0.3 },
  { connections: 50, share: 0.2 },
] as const;

const MANY = 50;

/**
 * How long both servers are under load before anything is measured, in seconds. A server that was just started answers a lone send at half
 * its speed: some ten thousand of them pass until the engine has optimized the code they run through.
 */
const WARM_UP_SECONDS = 20;

/** The result of a load, and the CPU time of the server's threads. */
interface Loaded extends LoadResult {
  readonly spent: SpentTime;
}

/** The two servers, and what is sent to both. */
interface Contenders {
  readonly product: ServerProcess;
  readonly floor: ServerProcess;
  readonly requests: readonly LoadRequest[];
}

/**
 * Sends and edits compared to the floor: a server that does only what is unavoidable, on the same machine in the
 * same run.
 */
export const sendsRow: BenchRow = {
  name: 'sends',
  measure: (size) => inTemporaryFolder((folder) => measure(folder, size)),
};

async function measure(folder: string, size: Size): Promise<readonly Measurement[]> {
  const floorFolder = join(folder, 'floor');
  await mkdir(floorFolder);
  const product = await startProduct(folder);
  const floor = await ServerProcess.start({
    entry: 'floor-server.js',
    arguments: [floorFolder],
    folder: floorFolder,
  });
  try {
    const owner = await ownerOf(product, folder);
    const authorization = authorizationOf(owner);
    const channelId = await createChannel(owner, 'load');
    const servers = { product, floor, requests: sendRequests(channelId, authorization) };
    const measurements: Measurement[] = [];
    await warmUp(servers, size);
    for (const step of STEPS) measurements.push(...(await besideFloor(servers, step, size)));
    return [...measurements, ...(await editing(product, { owner, channelId }, size))];
  } finally {
    await Promise.all([product.stop(), floor.stop()]);
  }
}

async function warmUp({ product, floor, requests }: Contenders, { quick }: Size): Promise<void> {
  const load = { requests, connections: 10, seconds: quick ? 1 : WARM_UP_SECONDS };
  for (const { site } of [floor, product]) await putUnderLoad({ site, ...load });
}

async function besideFloor(
  { product, floor, requests }: Contenders,
  { connections, share }: (typeof STEPS)[number],
  { quick }: Size,
): Promise<readonly Measurement[]> {
  const seconds = quick ? 1 : 4;
  const results = await inRounds(
    { count: quick ? 1 : 5, warmUp: true },
    {
      floor: () => loaded(floor, { requests, connections, seconds }),
      product: () => loaded(product, { requests, connections, seconds }),
    },
  );
  const ours = results.product;
  const what = `send, ${connections} at a time`;
  const work = `${ours.length} × ${seconds} s after ${WARM_UP_SECONDS} s of load; encrypted, synced and in the read model before the reply`;
  return [
    {
      what,
      ...besides(
        rates(ours),
        { what: 'floor', samples: rates(results.floor) },
        { ours: 'sends/s', theirs: 'commits/s' },
      ),
      target: { atLeast: share },
      work: `${work}; ${spentOf(ours)}`,
    },
    {
      what: `${what}: 99th percentile`,
      ...besides(
        ours.map(({ p99 }) => p99),
        { what: 'the median send', samples: ours.map(({ p50 }) => p50) },
        { ours: 'ms', theirs: 'ms' },
      ),
      target: { atMost: 2 },
      work,
    },
  ];
}

/** Edits compared to the same number of concurrent sends. */
async function editing(
  product: ServerProcess,
  { owner, channelId }: { readonly owner: ApiClient; readonly channelId: number },
  { quick }: Size,
): Promise<readonly Measurement[]> {
  const authorization = authorizationOf(owner);
  const send = async (): Promise<number> => {
    const message = { type: 'stream', to: channelId, topic: 'edited', content: 'To be edited.' };
    return (await owner.must('post', 'messages', message))['id'] as number;
  };
  const sent: number[] = [];
  for (let index = 0; index < 2 * MANY; index += 1) sent.push(await send());
  const seconds = quick ? 1 : 4;
  // A message accepts only a limited number of edits.
  const amount = Math.floor(budgets.editsOfMessage.max * (quick ? 0.2 : 0.9));
  const load = (requests: readonly LoadRequest[]) => (): Promise<Loaded> =>
    loaded(product, { requests, connections: MANY, seconds });
  const { sends, different, same } = await inRounds(
    { count: quick ? 1 : 5, warmUp: true },
    {
      sends: load(sendRequests(channelId, authorization)),
      different: load(editRequests(sent, authorization)),
      same: async () => {
        const requests = editRequests([await send()], authorization);
        return loaded(product, { requests, connections: MANY, seconds, amount });
      },
    },
  );
  const beside = (what: string, ours: Samples<Loaded>, atLeast: number): Measurement => ({
    what,
    ...besides(
      rates(ours),
      { what: `sends, ${MANY} at a time`, samples: rates(sends) },
      { ours: 'edits/s', theirs: 'sends/s' },
    ),
    target: { atLeast },
    work: `${ours.length} × ${ours === same ? `${amount} edits` : `${seconds} s`}; ${spentOf(ours)}`,
  });
  return [
    beside(`edit different messages, ${MANY} at a time`, different, 0.7),
    beside(`edit one message, ${MANY} at a time`, same, 0.5),
  ];
}

async function loaded({ site, pid }: ServerProcess, load: Omit<Load, 'site'>): Promise<Loaded> {
  const before = await threadTimes(pid);
  const result = await putUnderLoad({ site, ...load });
  return { ...result, spent: spentBetween(before, await threadTimes(pid)) };
}

/** CPU time of each thread for one request, which hardly depends on the load of the machine. */
function spentOf(results: Samples<Loaded>): string {
  const each = (part: keyof SpentTime): string => {
    const samples = results.map(({ spent, replies }) => (spent[part] / replies) * 1e6);
    return `${quantity(median(samples), 'µs')}${spreadOf(samples)}`;
  };
  return `CPU of the thread that answers ${each('requests')}, of the projector ${each('projector')}, of all others ${each('rest')}`;
}

function rates(results: Samples<LoadResult>): Samples {
  return results.map(({ rate }) => rate);
}
