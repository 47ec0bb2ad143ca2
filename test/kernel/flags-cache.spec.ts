import { describe, expect, it, jest } from '@jest/globals';
import { FlagsCache } from '../../src/contexts/messages/flags/flags-cache.js';
import { FlagsReader } from '../../src/contexts/messages/flags/flags-reader.js';
import {
  flagsStream,
  noFlags,
  ownerOfFlags,
  type PersonalFlagsDocument,
} from '../../src/contexts/messages/flags/flags.state.js';
import { rangesOf } from '../../src/contexts/messages/flags/id-ranges.js';
import type { ServingModels } from '../../src/stores/read-store/serving-models.js';
import { eventually } from '../support/eventually.js';
import { standIn } from '../support/stand-in.js';

function flagsOf(_id: number, revision: number): PersonalFlagsDocument {
  return { ...noFlags, read: rangesOf([revision + 1]), _id, revision };
}

/** A cache before these documents, and the ids that it reads. */
function cacheOf(documents: Map<number, PersonalFlagsDocument>): { cache: FlagsCache; reads: number[][] } {
  const reads: number[][] = [];
  const cache = new FlagsCache((ids) => {
    reads.push([...ids]);
    return Promise.resolve(new Map([...documents].filter(([id]) => ids.includes(id))));
  });
  return { cache, reads };
}

describe('cached flags', () => {
  it('are read once, until the person marks messages again', async () => {
    const documents = new Map([[1, flagsOf(1, 0)]]);
    const { cache, reads } = cacheOf(documents);
    expect(await cache.of([1, 2])).toEqual(new Map([[1, flagsOf(1, 0)]]));
    await cache.of([1, 2]);
    expect(reads).toEqual([[1, 2]]);
    documents.set(1, flagsOf(1, 1)).set(2, flagsOf(2, 0));
    cache.appended([
      { stream: flagsStream(1), revision: 1 },
      { stream: 'messages', revision: 7 },
    ]);
    expect((await cache.of([1, 2])).get(1)?.read).toEqual(rangesOf([2]));
    expect(reads.slice(1)).toEqual([[1]]);
    cache.appended([{ stream: flagsStream(2), revision: 0 }]);
    expect((await cache.of([1, 2])).get(2)?.read).toEqual(rangesOf([1]));
    expect(reads.slice(2)).toEqual([[2]]);
  });

  it('are read again while the read model lacks an event that is known', async () => {
    const documents = new Map([[1, flagsOf(1, 0)]]);
    const { cache, reads } = cacheOf(documents);
    cache.appended([{ stream: flagsStream(1), revision: 1 }]);
    await cache.of([1]);
    documents.set(1, flagsOf(1, 1));
    expect((await cache.of([1])).get(1)?.read).toEqual(rangesOf([2]));
    await cache.of([1]);
    expect(reads).toEqual([[1], [1]]);
  });
});

it('Cached flags that were read together do not expire together', async () => {
  const { cache, reads } = cacheOf(new Map());
  const ids = Array.from({ length: 1_000 }, (_, index) => index);
  await cache.of(ids);
  const now = performance.now();
  const later = jest.spyOn(performance, 'now').mockReturnValue(now + 45_000);
  await eventually(
    () => cache.of(ids),
    () => reads.length > 1,
  );
  later.mockReturnValue(now + 60_001);
  await eventually(
    () => cache.of(ids),
    () => reads.length > 2,
  );
  later.mockRestore();
  expect(new Set(reads.slice(1).flat()).size).toBe(1_000);
  expect(reads[1]!.length).toBeGreaterThan(300);
  expect(reads[1]!.length).toBeLessThan(700);
});

describe('reading the flags of many people', () => {
  /** How many people each read is for, of 5,000 people with so many ranges each. */
  async function readsWith(ranges: number): Promise<readonly number[]> {
    const reads: number[] = [];
    const read = Array.from({ length: ranges }, (_, index) => ({ from: 2 * index, through: 2 * index }));
    const collection = {
      find: ({ _id }: { _id: { $in: number[] } }) => {
        reads.push(_id.$in.length);
        return Promise.resolve(_id.$in.map((id) => ({ ...noFlags, read, _id: id, revision: 0 })));
      },
    };
    const models = standIn<ServingModels>({ get: () => Promise.resolve({ collection: () => collection }) });
    const found = await new FlagsReader(models).ofAll(Array.from({ length: 5_000 }, (_, index) => index));
    expect(found.size).toBe(5_000);
    return reads;
  }

  it('takes few reads of small documents', async () => {
    expect((await readsWith(3)).slice(0, 7)).toEqual([10, 20, 40, 80, 80, 80, 80]);
    expect(await readsWith(3)).toHaveLength(65);
  });

  it('reads large documents few at a time', async () => {
    expect(Math.max(...(await readsWith(1_500)))).toBe(20);
  });
});

it('A stream of flags names its person', () => {
  expect(ownerOfFlags(flagsStream(12))).toBe(12);
  expect(ownerOfFlags('messages')).toBeNull();
});
