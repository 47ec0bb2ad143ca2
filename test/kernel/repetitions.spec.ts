import { expect, it } from '@jest/globals';
import { EarlierCommands } from '../../src/stores/event-store/earlier-commands.js';
import { Repetitions, type Repetition } from '../../src/stores/event-store/repetitions.js';

function knowing(...commands: readonly (readonly [string, number])[]): Repetition {
  return { commandsIn: () => Promise.resolve(new Map(commands)) };
}

it('A command is recognised by whichever reactor knows it, of those that handle its cause again', async () => {
  const repetitions = new Repetitions();
  const earlier = new EarlierCommands(repetitions);
  const find = (commandId: string, causationId: string): Promise<number | undefined> =>
    earlier.find({ metadata: { commandId, causationId }, stream: 'notes', commands: undefined });
  const found = await repetitions.during('cause', knowing(['one', 3]), () =>
    repetitions.during('cause', knowing(['two', 7]), () =>
      Promise.all([
        find('one', 'cause'),
        find('two', 'cause'),
        find('two', 'another'),
        find('three', 'cause'),
      ]),
    ),
  );
  expect(found).toEqual([3, 7, undefined, undefined]);
  expect(await find('two', 'cause')).toBeUndefined();
});
