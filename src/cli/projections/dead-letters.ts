import type { Command } from 'commander';
import type { EventReference } from '../../../projections/engine/poison-event.js';
import type { DeadLetter } from '../../operations/projection-operations.js';
import { withLog } from '../audit/reading-log.js';
import { CommandFailedError, exitCodes, runs, type CommandContext } from '../command.js';
import { tableOf } from '../table.js';
import { ask } from './asking.js';

interface ModelParameters {
  readonly model: string;
}

/** `palimpsest projections dead-letters list | show | retry | discard` */
export function deadLetterCommands(projections: Command): void {
  const letters = projections
    .command('dead-letters')
    .summary('events that read models cannot apply')
    .description(
      'A read model stops before an event that it cannot apply, and tries again from time to time. Mend the program and restart it, or try again, or give the event up: then the model, and whatever is rebuilt of it, goes on as if the event were not there.',
    );
  runs<object>(
    letters.command('list').summary('show what read models stand before, and what was given up'),
    async (_parameters, context) => {
      const found = await lettersOf(context);
      const { terminal } = context;
      if (terminal.json) for (const letter of found) await terminal.print(JSON.stringify(letter));
      else if (found.length === 0) await terminal.print('There are none.');
      else for (const line of tableOf(headings, found.map(cellsOf))) await terminal.print(line);
      return exitCodes.done;
    },
  );
  runs<ModelParameters>(
    forModel(letters, 'show', 'show the event that a read model stands before, as it is stored'),
    async ({ model }, context) => {
      const letter = (await lettersOf(context)).find(
        (one) => one.projection === model && one.state === 'waiting',
      );
      if (letter === undefined) throw new CommandFailedError(`${model} does not stand before an event.`);
      const event = await storedEvent(letter.event, context);
      const { terminal } = context;
      await terminal.print(JSON.stringify({ ...letter, event }, null, terminal.json ? 0 : 2));
      return exitCodes.done;
    },
  );
  for (const [verb, summary, told] of [
    ['retry', 'try the event again at once', 'is tried again'],
    ['discard', 'give the event up and go on behind it', 'was given up'],
  ] as const) {
    runs<ModelParameters>(
      forModel(letters, verb, summary),
      async ({ model }, { configuration, terminal }) => {
        const request = { command: `projections ${verb}`, parameters: { projection: model } };
        const event = (await ask(configuration, request)) as EventReference;
        await terminal.print(
          terminal.json
            ? JSON.stringify({ projection: model, event })
            : `${model}: ${nameOf(event)} ${told}.`,
        );
        return exitCodes.done;
      },
    );
  }
}

function forModel(letters: Command, verb: string, summary: string): Command {
  return letters
    .command(verb)
    .argument('<model>', 'name of the read model')
    .summary(summary)
    .description(`${summary}.`);
}

async function lettersOf({ configuration }: CommandContext): Promise<readonly DeadLetter[]> {
  return (await ask(configuration, { command: 'projections dead-letters' })) as readonly DeadLetter[];
}

function storedEvent({ stream, id }: EventReference, { configuration }: CommandContext): Promise<unknown> {
  return withLog(configuration, async ({ eventStore }) => {
    for (let from = 0; ;) {
      const page = await eventStore.readStream(stream, { from, limit: 1_000 });
      const event = page.find((one) => one.id === id);
      if (event !== undefined) return event;
      if (page.length < 1_000) throw new CommandFailedError(`The event ${id} is not in the log.`);
      from = page.at(-1)!.revision + 1;
    }
  });
}

const headings = ['model', 'state', 'position', 'type', 'stream', 'event', 'reason'];

function cellsOf({ projection, state, event, reason }: DeadLetter): readonly string[] {
  return [projection, state, String(event.position), event.type, event.stream, event.id, reason];
}

function nameOf({ type, position }: EventReference): string {
  return `${type} at position ${position}`;
}
