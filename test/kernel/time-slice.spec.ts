import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { setImmediate as nextIteration } from 'node:timers/promises';
import { SharedTimeSlice, writeInSlices } from '../../src/runtime/time-slice.js';

/** What one step takes, in milliseconds: two of them are longer than a slice. */
const STEP = 3;

let now: number;

beforeEach(() => {
  now = 0;
  jest.spyOn(performance, 'now').mockImplementation(() => now);
});

afterEach(() => {
  jest.restoreAllMocks();
});

/** Runs tasks at once; returns how many of their steps ran in each iteration of the event loop. */
async function stepsByIteration(tasks: number, run: (step: () => void) => Promise<unknown>) {
  const steps = [0];
  const work = Promise.all(
    Array.from({ length: tasks }, () =>
      run(() => {
        now += STEP;
        steps.push(steps.pop()! + 1);
      }),
    ),
  );
  let isDone = false;
  void work.then(() => (isDone = true));
  while (!isDone) {
    await nextIteration();
    steps.push(0);
  }
  await work;
  return steps;
}

it('Tasks that share a slice occupy the event loop no longer than one of them, however many there are', async () => {
  const items = Array.from({ length: 10 }, (_, index) => index);
  const steps = await stepsByIteration(20, (step) =>
    writeInSlices(items, (item) => {
      step();
      return String(item);
    }),
  );
  expect(steps.reduce((sum, count) => sum + count, 0)).toBe(200);
  // Every task does its first step before it looks whether the slice is over; after that one task goes on at a time.
  expect(Math.max(...steps.slice(1))).toBeLessThanOrEqual(4);
});

it('Tasks that wait continue in the order in which they began to wait', async () => {
  const turns: string[] = [];
  const slice = new SharedTimeSlice();
  const task = async (name: string): Promise<void> => {
    for (let turn = 0; turn < 3; turn += 1) {
      turns.push(name);
      await slice.next();
    }
  };
  await Promise.all(['a', 'b', 'c'].map(task));
  expect(turns).toEqual(['a', 'b', 'c', 'a', 'b', 'c', 'a', 'b', 'c']);
});
