import { styleText } from 'node:util';
import type { PastApi } from '../../audit/past/past-api.js';
import type { PastNode } from '../../audit/past/past-node.js';
import { viewsOf, type View } from '../../audit/past/visibility.js';
import type { MessageDocument } from '../../messages/message-document.js';
import { openPast, type PastOpening } from './past.js';
import {
  readMessageLife,
  type ArrivalBefore,
  type MessageLife,
  type LifeChange,
  type LifeStep,
  type MessageLocation,
  type TextChange,
} from '../../audit/message-life.js';
import type { Names } from '../../audit/names.js';
import { unreachable } from '../../kernel/json.js';
import { CommandFailedError, exitCodes, type CommandAction, type ExitCode } from '../command.js';
import type { Terminal } from '../terminal.js';
import { shownTime } from './moment.js';
import { personNamed, readNames, withLog } from './reading-log.js';

/** What the command line says for `palimpsest audit history`. */
export interface HistoryParameters {
  readonly message: number;
  readonly as?: string;
}

/** What `palimpsest audit history` does. */
export const showHistory: CommandAction<HistoryParameters> = (parameters, { configuration, terminal }) =>
  withLog(configuration, async (stores) => {
    const { log, eventStore } = stores;
    const opening = { configuration, stores, terminal };
    const life = await readMessageLife(log, parameters.message, arrivalsOf(opening));
    if (life === null) throw new CommandFailedError(`No message ${parameters.message} was ever sent.`);
    const names = await readNames(stores);
    if (parameters.as !== undefined) {
      const userId = personNamed(names, parameters.as);
      const progress = terminal.progress('Looking', await eventStore.head());
      const views = await withPastApi(opening, life, (node, api) =>
        viewsOf({ node, api, log }, { life, userId }, (position) => progress.set(position)),
      );
      progress.end();
      for (const view of views) {
        await terminal.print(terminal.json ? JSON.stringify(view) : viewLine(view, names));
      }
      return exitCodes.done;
    }
    if (terminal.json) {
      await terminal.print(JSON.stringify(life));
      return codeOf(life);
    }
    for (const step of life.steps) {
      for (const line of linesOf(step, { names, terminal })) await terminal.print(line);
    }
    return codeOf(life);
  });

function codeOf({ steps }: MessageLife): ExitCode {
  return steps.some(({ change }) => change.kind === 'unreadable') ? exitCodes.amiss : exitCodes.done;
}

/** Where the log alone does not say whether a move took the message along, the read model of that moment does. */
function arrivalsOf(opening: PastOpening): ArrivalBefore {
  return async (messageId, position) => {
    const node = await openPast(opening, { position: position - 1 });
    try {
      const model = await node.models.get('messages');
      const message = await model.collection<MessageDocument>('messages').findOne({ _id: messageId });
      return message?.arrival ?? null;
    } finally {
      await node.close();
    }
  };
}

/** Opens the past, and the API over it, as it was when a message was sent. */
async function withPastApi<Result>(
  opening: PastOpening,
  { steps }: MessageLife,
  use: (node: PastNode, api: PastApi) => Promise<Result>,
): Promise<Result> {
  const node = await openPast(opening, { position: steps[0]!.position });
  try {
    const { openPastApi } = await import('../../audit/past/past-api.js');
    const api = await openPastApi(node);
    try {
      return await use(node, api);
    } finally {
      await api.close();
    }
  } finally {
    await node.close();
  }
}

function viewLine({ at, position, message }: View, names: Names): string {
  const when = `${shownTime(at)}  (position ${position})  `;
  if (message === null) return `${when}not to be seen`;
  const { stream_id: channelId, subject, flags, content } = message;
  const place = channelId === undefined ? 'directly' : `in ${names.channel(channelId)} > ${subject}`;
  const how = flags.includes('historical') ? ', as part of the history' : '';
  return `${when}seen ${place}${how}: ${JSON.stringify(content)}`;
}

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
    case 'unreadable':
      return `did what cannot be read: ${change.type}, ${change.reason}`;
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
