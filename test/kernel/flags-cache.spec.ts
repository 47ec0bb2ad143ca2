import { describe, expect, it } from '@jest/globals';
import { FlagsCache } from '../../src/contexts/messages/flags/flags-cache.js';
import {
  flagsStream,
  noFlags,
  ownerOfFlags,
  type PersonalFlagsDocument,
} from '../../src/contexts/messages/flags/flags.state.js';
import { rangesOf } from '../../src/contexts/messages/flags/id-ranges.js';

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

it('A stream of flags names its person', () => {
  expect(ownerOfFlags(flagsStream(12))).toBe(12);
  expect(ownerOfFlags('messages')).toBeNull();
});
