import { eventCatalog } from '../../events.js';
import type { LogSelection } from '../../audit/log-selection.js';
import type { Names } from '../../audit/names.js';
import { isReadable, type UnreadableEvent } from '../../event-store/readable-events.js';
import { selectedEvents } from '../../audit/selected-events.js';
import type { RecordedEvent } from '../../kernel/event.js';
import { exitCodes, MisusedError, type CommandAction } from '../command.js';
import { parseMoment, shownTime } from './moment.js';
import { channelNamed, personNamed, readNames, withLog } from './reading-log.js';

/** What the command line says for `palimpsest audit log`. */
export interface LogParameters {
  readonly stream?: readonly string[];
  readonly type?: readonly string[];
  readonly actor?: readonly string[];
  readonly message?: number;
  readonly channel?: string;
  readonly from?: string;
  readonly to?: string;
  readonly limit?: number;
}

/** What `palimpsest audit log` does. */
export const showLog: CommandAction<LogParameters> = (parameters, { configuration, terminal }) =>
  withLog(configuration, async (stores) => {
    const names = await readNames(stores);
    const selection = selectionOf(parameters, names);
    const head = (await stores.eventStore.head()) ?? 0;
    const progress = terminal.progress('Reading', head);
    let left = parameters.limit ?? Infinity;
    let isAmiss = false;
    for await (const { events, position } of selectedEvents(stores.log, selection)) {
      for (const event of events.slice(0, left)) {
        progress.end();
        isAmiss ||= !isReadable(event);
        await terminal.print(
          terminal.json ? JSON.stringify(event) : lineOf(event, { names, columns: terminal.columns }),
        );
      }
      left -= events.length;
      if (left <= 0) break;
      progress.set(position);
    }
    progress.end();
    return isAmiss ? exitCodes.amiss : exitCodes.done;
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
  event: RecordedEvent | UnreadableEvent,
  { names, columns }: { readonly names: Names; readonly columns: number | null },
): string {
  const { position, stream, revision, type } = event;
  // Nothing of one that cannot be read is taken for granted, and its line is never cut.
  if (!isReadable(event))
    return [
      String(position).padStart(8),
      `${stream}@${revision}`.padEnd(18),
      type.padEnd(20),
      `${event.id}  (unreadable) ${event.unreadable}`,
    ].join('  ');
  const { data, metadata, erased } = event;
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
