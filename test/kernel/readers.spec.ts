import { isDeepStrictEqual } from 'node:util';
import { expect, it } from '@jest/globals';
import type { Query } from '@nestjs/cqrs';
import type { ReaderPool } from '../../src/reader-threads/reader-pool.js';
import type { PooledTask } from '../../src/reader-threads/pooled-task.js';
import type { CallersQuery, ReaderQueries } from '../../src/reader-threads/reader-query.js';
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

async function samenessOf(query: CallersQuery): Promise<unknown> {
  const tasks: PooledTask[] = [];
  const run = async (task: PooledTask): Promise<object> => {
    tasks.push(task);
    return { type: 'done', result: null, reply: null };
  };
  const kinds = standIn<ReaderQueries>(() => ({}));
  await new ThreadedReaders(standIn<ReaderPool>({ run }), kinds).ask(
    standIn<CallersQuery & Query<unknown>>(query),
  );
  return tasks[0]!.sameness;
}

it('What is asked for alike is told by all that it is asked with, but for the request', async () => {
  const asked = await samenessOf(new Asked({}, new Set(['message'])));
  const isSame = async (query: Asked): Promise<boolean> => isDeepStrictEqual(await samenessOf(query), asked);
  expect(await isSame(new Asked({ requestId: 'other' }, new Set(['message'])))).toBe(true);
  for (const other of [
    new Asked({}, new Set(['message', 'starred_messages'])),
    new Asked({}, new Set(['message']), new Map([['soup', 1]])),
    new Asked({ client: 'ZulipMobile' }, new Set(['message'])),
  ]) {
    expect(await isSame(other)).toBe(false);
  }
});
