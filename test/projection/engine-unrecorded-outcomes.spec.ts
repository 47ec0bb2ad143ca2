import { expect, it } from '@jest/globals';
import { UnrecordedOutcomes } from '../../projections/engine/unrecorded-outcomes.js';

const full = new Error('The disk is full');

/** Effects by key whose outcomes are recorded while there is room. */
function effects(): {
  isFull: boolean;
  readonly performed: string[];
  readonly recorded: string[];
  complete(key: string, outcomes: UnrecordedOutcomes<{ number: number }>): Promise<unknown>;
} {
  const world = {
    isFull: true,
    performed: [] as string[],
    recorded: [] as string[],
    complete: (key: string, outcomes: UnrecordedOutcomes<{ number: number }>): Promise<unknown> =>
      outcomes
        .complete(key, {
          perform: async () => ({ number: world.performed.push(key) }),
          record: async ({ number }) => {
            if (world.isFull) throw full;
            world.recorded.push(`${key}: ${number}`);
          },
        })
        .catch((error: unknown) => error),
  };
  return world;
}

it('An effect whose outcome cannot be recorded is not repeated, and is recorded later', async () => {
  const world = effects();
  const outcomes = new UnrecordedOutcomes<{ number: number }>(10);
  expect(await world.complete('a', outcomes)).toBe(full);
  expect(await world.complete('a', outcomes)).toBe(full);
  world.isFull = false;
  await world.complete('b', outcomes);
  expect(await world.complete('a', outcomes)).toEqual({ number: 1 });
  expect([world.performed, world.recorded]).toEqual([
    ['a', 'b'],
    ['b: 2', 'a: 1'],
  ]);
});

it('An effect whose outcome was recorded can be performed again', async () => {
  const world = effects();
  world.isFull = false;
  const outcomes = new UnrecordedOutcomes<{ number: number }>(10);
  await world.complete('a', outcomes);
  await world.complete('a', outcomes);
  expect(world.recorded).toEqual(['a: 1', 'a: 2']);
});

it('An attempt without an effect is not recorded', async () => {
  const recorded: unknown[] = [];
  const effect = {
    perform: () => Promise.resolve(null),
    record: async (outcome: unknown): Promise<void> => void recorded.push(outcome),
  };
  expect(await new UnrecordedOutcomes(10).complete('a', effect)).toBeNull();
  expect(recorded).toEqual([]);
});

it('The number of unrecorded outcomes in memory is limited', async () => {
  const world = effects();
  const outcomes = new UnrecordedOutcomes<{ number: number }>(2);
  for (const key of ['a', 'b', 'c', 'b', 'a']) await world.complete(key, outcomes);
  expect(world.performed).toEqual(['a', 'b', 'c', 'a']);
});
