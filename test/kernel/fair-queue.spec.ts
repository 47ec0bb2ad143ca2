import { describe, expect, it } from '@jest/globals';
import { budgets } from '../../src/kernel/budgets.js';
import { FairQueue, type Queued } from '../../src/reader-threads/fair-queue.js';

interface Named extends Queued {
  readonly name: string;
}

function task(name: string, account: number | null, isLong = false): Named {
  return { name, account, isLong };
}

/** The tasks that start in each round, when all running tasks end at the same time. */
function rounds(queue: FairQueue<Named>): string[][] {
  const all: string[][] = [];
  for (;;) {
    const started: Named[] = [];
    for (let one = queue.take(); one !== null; one = queue.take()) started.push(one);
    if (started.length === 0) return all;
    all.push(started.map(({ name }) => name));
    started.forEach((one) => queue.finish(one));
  }
}

describe('A fair queue', () => {
  it('lets accounts take turns, each with one thread', () => {
    const queue = new FairQueue<Named>(2);
    for (const name of ['a1', 'a2', 'a3']) queue.add(task(name, 1));
    queue.add(task('b1', 2));
    queue.add(task('c1', 3));
    expect(rounds(queue)).toEqual([['a1', 'b1'], ['c1', 'a2'], ['a3']]);
  });

  it('runs at most all but one thread on long tasks, so that a short one can start', () => {
    const queue = new FairQueue<Named>(3);
    for (const account of [1, 2, 3]) queue.add(task(`long ${account}`, account, true));
    queue.add(task('short', 4));
    expect(rounds(queue)).toEqual([['long 1', 'long 2', 'short'], ['long 3']]);
  });

  it('counts a running task as long once it has become long', () => {
    const queue = new FairQueue<Named>(2);
    const slow = task('slow', 1);
    queue.add(slow);
    expect(queue.take()).toBe(slow);
    slow.isLong = true;
    queue.add(task('long', 2, true));
    expect(queue.take()).toBeNull();
    queue.add(task('short', 3));
    expect(queue.take()).toMatchObject({ name: 'short' });
    queue.finish(slow);
    expect(queue.take()).toMatchObject({ name: 'long' });
  });

  it('refuses a task when too many of its account are waiting, and none of another account', () => {
    const queue = new FairQueue<Named>(2);
    const { max } = budgets.waitingQueriesOfOwner;
    for (let number = 0; number < max; number += 1) queue.add(task(`a${number}`, 1));
    const more = task('one more', 1);
    expect(() => queue.add(more)).toThrow(expect.objectContaining({ row: 'unavailable', status: 503 }));
    expect(queue.length).toBe(max);
    queue.add(task('b', 2));
    for (let number = 0; number <= max; number += 1) queue.add(task(`own ${number}`, null));
    // One that has started does not wait.
    expect(queue.take()).toMatchObject({ name: 'a0' });
    queue.add(more);
    expect(queue.of(1)).toHaveLength(max);
  });

  it('runs tasks without an account concurrently', () => {
    const queue = new FairQueue<Named>(2);
    queue.add(task('one', null));
    queue.add(task('other', null));
    expect(rounds(queue)).toEqual([['one', 'other']]);
  });

  it('removes waiting tasks, but not those that have started', () => {
    const queue = new FairQueue<Named>(2);
    const [first, second] = [task('first', 1), task('second', 1)];
    queue.add(first);
    queue.add(second);
    expect(queue.length).toBe(2);
    queue.take();
    expect(queue.remove(first)).toBe(false);
    expect(queue.remove(second)).toBe(true);
    expect(queue.length).toBe(0);
    queue.add(second);
    expect(queue.clear()).toEqual([second]);
    expect(queue.length).toBe(0);
  });
});
