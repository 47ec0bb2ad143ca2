import { jest } from '@jest/globals';

/**
 * Runs work as if each of its steps took long, and counts the turns of the event loop meanwhile.
 *
 * @param work uses a `TimeSlice`
 */
export async function countingTurns<Result>(
  work: () => Promise<Result>,
): Promise<{ readonly result: Result; readonly turns: number }> {
  let now = 0;
  const clock = jest.spyOn(performance, 'now').mockImplementation(() => (now += 10));
  let turns = 0;
  let isOver = false;
  setImmediate(function take() {
    turns += 1;
    if (!isOver) setImmediate(take);
  });
  try {
    const result = await work();
    return { result, turns };
  } finally {
    isOver = true;
    clock.mockRestore();
  }
}
