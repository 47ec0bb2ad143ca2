import type { Command } from 'commander';
import { eventCatalog } from '../../events.js';
import type { LogSelection } from '../../audit/log-selection.js';
import type { Names } from '../../audit/names.js';
import { selectedEvents } from '../../audit/selected-events.js';
import type { RecordedEvent } from '../../kernel/event.js';
import { collected, exitCodes, MisusedError, runs, wholeNumber, type CommandAction } from '../command.js';
import { momentHelp, parseMoment, shownTime } from './moment.js';
import { channelNamed, personNamed, readNames, withLog } from './reading-log.js';

interface LogParameters {
  readonly stream?: readonly string[];
  readonly type?: readonly string[];
  readonly actor?: readonly string[];
  readonly message?: number;
  readonly channel?: string;
  readonly from?: string;
  readonly to?: string;
  readonly limit?: number;
}

/** `palimpsest audit log` */
export function logCommand(audit: Command): void {
  const log = audit
    .command('log')
    .summary('show the events of the log, in log order')
    .description(
      'Shows the events of the log, in log order: a line each, or with --json one JSON object a line with all that is known.\nEvents must pass every filter; a filter that is given several times is passed by any of its values.',
    )
    .option(
      '--stream <name>',
      'events of a stream; users, channel-7, or message-* for all that begin so',
      collected,
    )
    .option('--type <type>', 'events of a type, such as MessageEdited', collected)
    .option('--actor <who>', 'what somebody did: an id, an e-mail address, or "server"', collected)
    .option('--message <id>', 'a message: its sending, its changes, and what names it', wholeNumber)
    .option(
      '--channel <which>',
      'a channel, by name or id: its settings, its subscribers, what was sent or moved there',
    )
    .option('--from <moment>', `from a moment on: ${momentHelp}`)
    .option('--to <moment>', 'up to and including a moment')
    .option('--limit <count>', 'so many events at most', wholeNumber)
    .addHelpText(
      'after',
      `
Examples:
  palimpsest audit log --channel engines --from 2026-11-20 --to 2026-11-21T12:00
  palimpsest audit log --actor ada@example.com --type MessageEdited --type MessageDeleted
  palimpsest audit log --stream users --json | jq -r '.type'`,
    );
  runs(log, showLog);
}

const showLog: CommandAction<LogParameters> = (parameters, { configuration, terminal }) =>
  withLog(configuration, async (stores) => {
    const names = await readNames(stores);
    const selection = selectionOf(parameters, names);
    const head = (await stores.eventStore.head()) ?? 0;
    const progress = terminal.progress('Reading', head);
    let left = parameters.limit ?? Infinity;
    for await (const { events, position } of selectedEvents(stores.log, selection)) {
      for (const event of events.slice(0, left)) {
        progress.end();
        await terminal.print(
          terminal.json ? JSON.stringify(event) : lineOf(event, { names, columns: terminal.columns }),
        );
      }
      left -= events.length;
      if (left <= 0) break;
      progress.set(position);
    }
    progress.end();
    return exitCodes.done;
  });

function selectionOf(parameters: LogParameters, names: Names): LogSelection {
  const { stream, type, actor, message, channel, from, to } = parameters;
  const actorIds = actor?.map((who) => (who === 'server' ? null : personNamed(names, who)));
  return {
    ...(stream && { streams: stream }),
    ...(type && { types: type.map(knownType) }),
    ...(actorIds && { actorIds: new Set(actorIds) }),
    ...(message !== undefined && { messageId: message }),
    ...(channel !== undefined && { channelId: channelNamed(names, channel) }),
    ...(from !== undefined && beginning(from)),
    ...(to !== undefined && ending(to)),
  };
}

function knownType(type: string): string {
  if (eventCatalog.find(type) !== undefined) return type;
  const known = eventCatalog.definitions.map((definition) => definition.type).sort();
  throw new MisusedError(`There is no event type "${type}"; there are ${known.join(', ')}.`);
}

function beginning(text: string): LogSelection {
  const moment = parseMoment(text);
  return 'time' in moment ? { since: moment.time } : { from: moment.position };
}

function ending(text: string): LogSelection {
  const moment = parseMoment(text);
  return 'time' in moment ? { until: moment.time } : { through: moment.position };
}

function lineOf(
  { position, stream, revision, type, data, metadata, erased }: RecordedEvent,
  { names, columns }: { readonly names: Names; readonly columns: number | null },
): string {
  const line = [
    String(position).padStart(8),
    shownTime(metadata.at),
    `${stream}@${revision}`.padEnd(18),
    type.padEnd(20),
    names.person(metadata.actorId).padEnd(18),
    `${erased ? '(erased) ' : ''}${JSON.stringify(data)}`,
  ].join('  ');
  return columns === null || line.length <= columns ? line : `${line.slice(0, columns - 1)}…`;
}
