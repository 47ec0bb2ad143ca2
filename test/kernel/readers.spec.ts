import { isDeepStrictEqual } from 'node:util';
import { expect, it } from '@jest/globals';
import type { Query } from '@nestjs/cqrs';
import type { ReaderPool } from '../../src/reader-threads/reader-pool.js';
import type { PooledTask } from '../../src/reader-threads/pooled-task.js';
import type { CallersQuery, ReaderQueries } from '../../src/reader-threads/reader-query.js';
import { noteResponse } from '../../src/http/client-gone.js';
import { ThreadedReaders } from '../../src/reader-threads/readers.js';
import { standIn } from '../support/stand-in.js';

class Asked implements CallersQuery {
  readonly caller;
  constructor(
    { userId = 3, client = 'website', requestId = 'one' },
    readonly parts: ReadonlySet<string>,
    readonly words: ReadonlyMap<string, number> = new Map(),
  ) {
    this.caller = { userId, client, requestId };
  }
}

/** Account 7 is a bot of account 3. */
const ownerOf = (userId: number): number => (userId === 7 ? 3 : userId);

async function taskOf(query: CallersQuery, kind = {}): Promise<PooledTask> {
  const tasks: PooledTask[] = [];
  const run = async (task: PooledTask): Promise<object> => {
    tasks.push(task);
    return { type: 'done', result: null, reply: null };
  };
  const kinds = standIn<ReaderQueries>(() => kind);
  await new ThreadedReaders(standIn<ReaderPool>({ run }), kinds, ownerOf).ask(
    standIn<CallersQuery & Query<unknown>>(query),
  );
  return tasks[0]!;
}

async function deduplicationKeyOf(query: CallersQuery): Promise<unknown> {
  return (await taskOf(query)).deduplicationKey;
}

it('A bot counts as its owner’s account for scheduling, but does not share the owner’s results', async () => {
  const [owners, bots] = [new Asked({}, new Set()), new Asked({ userId: 7 }, new Set())];
  expect([(await taskOf(owners)).account, (await taskOf(bots)).account]).toEqual([3, 3]);
  expect(isDeepStrictEqual(await deduplicationKeyOf(owners), await deduplicationKeyOf(bots))).toBe(false);
});

it('Queries are deduplicated if everything but their request is the same', async () => {
  const asked = await deduplicationKeyOf(new Asked({}, new Set(['message'])));
  const isSame = async (query: Asked): Promise<boolean> =>
    isDeepStrictEqual(await deduplicationKeyOf(query), asked);
  expect(await isSame(new Asked({ requestId: 'other' }, new Set(['message'])))).toBe(true);
  for (const other of [
    new Asked({}, new Set(['message', 'starred_messages'])),
    new Asked({}, new Set(['message']), new Map([['soup', 1]])),
    new Asked({ client: 'ZulipMobile' }, new Set(['message'])),
  ]) {
    expect(await isSame(other)).toBe(false);
  }
});

it('A query that a command depends on is not aborted when the client has disconnected', async () => {
  const query = new Asked({}, new Set());
  noteResponse(query.caller, standIn({ destroyed: true, on: () => {} }));
  expect((await taskOf(query)).signal?.aborted).toBe(true);
  expect((await taskOf(query, { isForCommand: true })).signal).toBeNull();
});
