import { styleText } from 'node:util';
import type { Command } from 'commander';
import {
  readMessageLife,
  type LifeChange,
  type LifeStep,
  type MessageLocation,
  type TextChange,
} from '../../audit/message-life.js';
import type { Names } from '../../audit/names.js';
import { unreachable } from '../../kernel/json.js';
import { CommandFailedError, exitCodes, runs, wholeNumber, type CommandAction } from '../command.js';
import type { Terminal } from '../terminal.js';
import { shownTime } from './moment.js';
import { readNames, withLog } from './reading-log.js';

interface HistoryParameters {
  readonly message: number;
}

/** `palimpsest audit history` */
export function historyCommand(audit: Command): void {
  const history = audit
    .command('history')
    .argument('<message>', 'id of the message', wholeNumber)
    .summary('show the whole life of a message')
    .description(
      'Shows the whole life of a message, also after it was deleted: what it said (with what each edit took out and put in), where it lay, who reacted to it, who did each of these things, when, and with which program.',
    )
    .addHelpText(
      'after',
      `
In texts, [-this-] was taken out and {+that+} was put in. What was erased for good is shown as (erased).

Example:
  palimpsest audit history 41`,
    );
  runs(history, showHistory);
}

const showHistory: CommandAction<HistoryParameters> = (parameters, { configuration, terminal }) =>
  withLog(configuration, async (stores) => {
    const life = await readMessageLife(stores.log, parameters.message, () => Promise.resolve(null));
    if (life === null) throw new CommandFailedError(`No message ${parameters.message} was ever sent.`);
    if (terminal.json) {
      await terminal.print(JSON.stringify(life));
      return exitCodes.done;
    }
    const names = await readNames(stores);
    for (const step of life.steps) {
      for (const line of linesOf(step, { names, terminal })) await terminal.print(line);
    }
    return exitCodes.done;
  });

interface Showing {
  readonly names: Names;
  readonly terminal: Terminal;
}

function linesOf({ at, actorId, client, position, change }: LifeStep, showing: Showing): readonly string[] {
  const who = showing.names.person(actorId);
  const heading = `${shownTime(at)}  ${who} ${deedOf(change, showing)}  (${client}, position ${position})`;
  return [heading, ...textOf(change, showing).map((line) => `    ${line}`)];
}

function deedOf(change: LifeChange, { names }: Showing): string {
  switch (change.kind) {
    case 'sent':
      return `sent it to ${placeOf(change.location, names)}`;
    case 'edited':
      return 'edited it';
    case 'moved':
      return `moved it from ${placeOf(change.from, names)} to ${placeOf(change.to, names)}`;
    case 'reaction-added':
      return `reacted with :${change.emoji}:`;
    case 'reaction-removed':
      return `took :${change.emoji}: back`;
    case 'submessage-attached':
      return `took part with ${change.content}`;
    case 'deleted':
      return 'deleted it';
    default:
      return unreachable(change);
  }
}

function placeOf(location: MessageLocation, names: Names): string {
  if (location.type === 'direct') return location.userIds.map((id) => names.person(id)).join(', ');
  return `${names.channel(location.channelId)} > ${location.topic || '(no topic)'}`;
}

function textOf(change: LifeChange, { terminal }: Showing): readonly string[] {
  if (change.kind === 'sent') return change.content.split('\n');
  if (change.kind !== 'edited') return [];
  return change.changes
    .map((part) => marked(part, terminal.colours))
    .join('')
    .split('\n');
}

function marked({ kind, text }: TextChange, colours: boolean): string {
  switch (kind) {
    case 'kept':
      return text;
    case 'added':
      return colours ? styleText('green', `{+${text}+}`) : `{+${text}+}`;
    case 'removed':
      return colours ? styleText('red', `[-${text}-]`) : `[-${text}-]`;
  }
}
