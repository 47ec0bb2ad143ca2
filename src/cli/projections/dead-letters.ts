import type { EventReference } from '../../../projections/engine/poison-event.js';
import type { RestoredEvents } from '../../../projections/engine/projection-host.js';
import type { DeadLetter } from '../../operations/dead-letters.js';
import { eventsOfStream } from '../../stores/event-store/port.js';
import { withLog } from '../audit/reading-log.js';
import { recordAuditAccess } from '../audit/record-audit-access.js';
import { CommandFailedError, exitCodes, type CommandAction, type CommandContext } from '../command.js';
import { tableOf } from '../terminal.js';
import { confirm, type Confirmed } from '../confirmation.js';
import { ask } from './steering.js';
import { printableJson } from '../terminal-text.js';

/** The read model that the command line names. */
interface ModelParameters {
  readonly model: string;
}

/** What `palimpsest projections dead-letters list` does. */
export const listLetters: CommandAction<object> = async (_parameters, context) => {
  const found = await lettersOf(context);
  const { terminal } = context;
  if (terminal.json) for (const letter of found) await terminal.print(JSON.stringify(letter));
  else if (found.length === 0) await terminal.print('There are none.');
  else for (const line of tableOf(headings, found.map(cellsOf))) await terminal.print(line);
  return exitCodes.done;
};

/** What `palimpsest projections dead-letters show` does. */
export const showLetter: CommandAction<ModelParameters> = async ({ model }, context) => {
  const letter = (await lettersOf(context)).find(
    (one) => one.projection === model && one.state === 'waiting',
  );
  if (letter === undefined) throw new CommandFailedError(`${model} is not halted at an event.`);
  await recordAuditAccess(context, { view: 'event', asked: { position: letter.event.position } });
  const event = await storedEvent(letter.event, context);
  const { terminal } = context;
  await terminal.print(printableJson(JSON.stringify({ ...letter, event }, null, terminal.json ? 0 : 2)));
  return exitCodes.done;
};

/** The arguments and options of commands about one event, or all. */
interface EventParameters extends ModelParameters {
  /** Id of the event; absent: the one at which the model is halted, or all discarded events. */
  readonly event?: string;
}

/** What `palimpsest projections dead-letters retry` does. */
export const retryEvent = dealWithEvent('retry', 'is tried again');

/** What `palimpsest projections dead-letters discard` does. */
export const discardEvent: CommandAction<EventParameters & Confirmed> = async (parameters, context) => {
  const { model, event } = parameters;
  const named = event === undefined ? 'the event at which it is halted' : `the event ${event}`;
  await confirm(`${model} will go on as if ${named} had never happened.`, parameters);
  return dealWithEvent('discard', 'was discarded')(parameters, context);
};

/** What `palimpsest projections dead-letters restore` does. */
export const restoreEvents: CommandAction<EventParameters> = async (
  { model, event = null },
  { configuration, terminal },
) => {
  const request = { command: 'projections restore', parameters: { projection: model, event } };
  const answer = (await ask(configuration, request)) as RestoredEvents;
  if (terminal.json) await terminal.print(JSON.stringify({ projection: model, ...answer }));
  else {
    for (const restored of answer.events) await terminal.print(`${model}: ${nameOf(restored)} is restored.`);
  }
  return exitCodes.done;
};

function dealWithEvent(verb: string, told: string): CommandAction<EventParameters> {
  return async ({ model, event = null }, { configuration, terminal }) => {
    const request = { command: `projections ${verb}`, parameters: { projection: model, event } };
    const dealtWith = (await ask(configuration, request)) as EventReference;
    await terminal.print(
      terminal.json
        ? JSON.stringify({ projection: model, event: dealtWith })
        : `${model}: ${nameOf(dealtWith)} ${told}.`,
    );
    return exitCodes.done;
  };
}

async function lettersOf({ configuration }: CommandContext): Promise<readonly DeadLetter[]> {
  return (await ask(configuration, { command: 'projections dead-letters' })) as readonly DeadLetter[];
}

function storedEvent({ stream, id }: EventReference, { configuration }: CommandContext): Promise<unknown> {
  return withLog(configuration, async ({ eventStore }) => {
    for await (const event of eventsOfStream(eventStore, stream)) if (event.id === id) return event;
    throw new CommandFailedError(`The event ${id} is not in the log.`);
  });
}

const headings = ['model', 'state', 'position', 'type', 'stream', 'event', 'reason'];

function cellsOf({ projection, state, event, reason }: DeadLetter): readonly string[] {
  return [projection, state, String(event.position), event.type, event.stream, event.id, reason];
}

function nameOf({ type, position }: EventReference): string {
  return `${type} at position ${position}`;
}
