import { besides, type BenchRow, type Measurement, type Size } from '../measurement.js';
import { putUnderLoad, type LoadResult } from '../support/load.js';
import { populate } from '../support/people.js';
import { createChannel, sendRequests } from '../support/requests.js';
import { inRounds } from '../support/rounds.js';
import { authorizationOf, ownerOf, startProduct } from '../support/server-process.js';
import { inTemporaryFolder } from '../support/temporary-folder.js';

const CONNECTIONS = 50;

/** Sending to a channel with one subscriber, compared to one with ten thousand. */
export const subscribersRow: BenchRow = {
  name: 'subscribers',
  measure: (size) => inTemporaryFolder((folder) => measure(folder, size)),
};

async function measure(folder: string, { quick }: Size): Promise<readonly Measurement[]> {
  const people = quick ? 1_000 : 10_000;
  const userIds = await populate(folder, people - 1);
  const product = await startProduct(folder);
  try {
    const owner = await ownerOf(product, folder);
    const { user_id: ownerId } = await owner.must('get', 'users/me');
    const small = await createChannel(owner, 'one');
    const large = await createChannel(owner, 'many', [ownerId as number, ...userIds]);
    const seconds = quick ? 1 : 3;
    const load = (channelId: number) => (): Promise<LoadResult> => {
      const requests = sendRequests(channelId, authorizationOf(owner));
      return putUnderLoad({ site: product.site, requests, connections: CONNECTIONS, seconds });
    };
    const { one, many } = await inRounds(
      { count: quick ? 1 : 4, warmUp: true },
      { one: load(small), many: load(large) },
    );
    const rates = (results: readonly LoadResult[]): number[] => results.map(({ rate }) => rate);
    return [
      {
        what: `send to ${people.toLocaleString('en')} subscribers`,
        ...besides(
          rates(many),
          { what: '1 subscriber', samples: rates(one) },
          { ours: 'sends/s', theirs: 'sends/s' },
        ),
        target: { atLeast: 0.9 },
        work: `${CONNECTIONS} connections, ${many.length} × ${seconds} s; encrypted, synced and in the read model before the reply`,
      },
    ];
  } finally {
    await product.stop();
  }
}
