import { jest } from '@jest/globals';

/**
 * Does something as if each step of it took long, and counts the turns that others had meanwhile.
 *
 * @param work lets others have their turn by a `TimeSlice`
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
