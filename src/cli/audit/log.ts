import { eventCatalog } from '../../stores/event-catalog.js';
import type { LogSelection } from '../../audit/log/log-selection.js';
import { movesTaking } from '../../audit/message-timeline/moves-taking.js';
import { readNameHistory, type Names } from '../../audit/names.js';
import type { NameHistory } from '../../audit/sentences/name-history.js';
import type { ContentOwner } from '../../contexts/audit-index/facets.js';
import type { NamedTopic } from '../../events/event-subjects.js';
import { standardTopic } from '../../events/values/message-text.js';
import type { EventLog } from '../../stores/event-store/event-log.js';
import { isReadable } from '../../stores/event-store/readable-events.js';
import { selectedEvents } from '../../audit/log/selected-events.js';
import { readMessageSenders } from '../../audit/log/message-senders.js';
import { readRoleHistory } from '../../audit/log/role-history.js';
import { roles } from '../../access/records/roles.js';
import type { Role } from '../../events/users.js';
import { exitCodes, MisusedError, type CommandAction, type ExitCode } from '../command.js';
import type { Terminal } from '../terminal.js';
import { CsvLines, JsonLines, LogLines, type LogFormat } from './log-lines.js';
import { parseMoment } from './moment.js';
import { MovedMessagesHere } from './moved-messages-here.js';
import { openPast, type PastOpening } from './past.js';
import { recordAuditAccess, type OperatorAccess } from './record-audit-access.js';
import { channelNamed, personNamed, readNames, withLog } from './reading-log.js';

/** The arguments and options of `palimpsest audit log`. */
interface LogParameters {
  readonly stream?: readonly string[];
  readonly type?: readonly string[];
  readonly actor?: readonly string[];
  readonly message?: number;
  readonly channel?: string;
  readonly topic?: string;
  readonly from?: string;
  readonly to?: string;
  readonly limit?: number;
  readonly about?: string;
  readonly role?: readonly string[];
  readonly content?: string;
  readonly others?: boolean;
  readonly csv?: boolean;
}

/** What `palimpsest audit log` does. */
export const showLog: CommandAction<LogParameters> = (parameters, { configuration, terminal }) =>
  withLog(configuration, async (stores) => {
    refuseTwoFormats(parameters, terminal);
    const named = selectionOf(parameters, await readNames(stores));
    await recordAuditAccess({ configuration, terminal }, operatorAccessOf(parameters, named));
    const selection = {
      ...named,
      ...(await selectionOfActors(parameters, named, stores.log)),
      ...(await selectionOfMoves(parameters, { configuration, stores, terminal })),
    };
    return printEvents({ configuration, stores, terminal }, selection, parameters);
  });

/** In which form events are printed. */
export type EventFormat = Pick<LogParameters, 'limit' | 'csv'>;

/** @throws MisusedError */
export function refuseTwoFormats({ csv }: EventFormat, terminal: Terminal): void {
  if (csv === true && terminal.json) throw new MisusedError('Say either --csv or --json.');
}

/** Prints the selected events in log order. */
export async function printEvents(
  { configuration, stores, terminal }: PastOpening,
  selection: LogSelection,
  { limit = Infinity, csv = false }: EventFormat,
): Promise<ExitCode> {
  const format = formatOf(await readNameHistory(stores.log), { terminal, isCsv: csv });
  const head = (await stores.eventStore.head()) ?? 0;
  const progress = terminal.progress('Reading', head);
  let left = limit;
  let isAmiss = false;
  let seen = 0;
  const moved = new MovedMessagesHere(configuration);
  try {
    for await (const { events, position, looked } of selectedEvents(stores.log, selection)) {
      for (const event of await moved.addTo(events.slice(0, left))) {
        progress.end();
        isAmiss ||= !isReadable(event);
        for (const line of format.of(event)) await terminal.print(line);
      }
      left -= events.length;
      if (left <= 0) break;
      seen += looked;
      progress.set(seen, position / Math.max(head, 1));
    }
  } finally {
    await moved.close();
  }
  progress.end();
  return isAmiss ? exitCodes.faultsFound : exitCodes.done;
}

/** How this reading of the log is recorded. */
function operatorAccessOf(parameters: LogParameters, selection: LogSelection): OperatorAccess {
  const { stream, type, topic, role, limit, from, to } = parameters;
  const { actorIds, messageId, channelId, aboutId, content } = selection;
  const actors = [...(actorIds ?? [])];
  const [actorId] = actors;
  return {
    view: 'log',
    selection: {
      stream: stream?.join(',') ?? null,
      type: type?.join(',') ?? null,
      actorId: actors.length === 1 ? (actorId ?? null) : null,
      byServer: actorIds?.has(null) ?? false,
      messageId: messageId ?? null,
      channelId: channelId ?? null,
      from: from === undefined ? null : parseMoment(from),
      to: to === undefined ? null : parseMoment(to),
    },
    asked: {
      ...(actors.length > 1 && { actorIds: actors.filter((id) => id !== null) }),
      ...(topic !== undefined && { topic }),
      ...(aboutId !== undefined && { aboutId }),
      ...(role !== undefined && { role: role.join(',') }),
      ...(content !== undefined && { content }),
      ...(limit !== undefined && { limit }),
    },
  };
}

function formatOf(
  names: NameHistory,
  { terminal, isCsv }: { terminal: Terminal; isCsv: boolean },
): LogFormat {
  if (terminal.json) return new JsonLines(names);
  return isCsv ? new CsvLines(names) : new LogLines(names, terminal.columns);
}

/** Selects by data that only earlier events contain: the role of the actor, and the sender of a message. */
async function selectionOfActors(
  { role }: LogParameters,
  { content }: LogSelection,
  log: EventLog,
): Promise<LogSelection> {
  const names = role?.map(knownRole);
  const history = names === undefined ? null : await readRoleHistory(log);
  const senders = content === undefined ? null : await readMessageSenders(log);
  if (history === null && senders === null) return {};
  return {
    passes: (event) =>
      (history === null ||
        names!.some((name) => name === history.roleAt(event.metadata.actorId, event.position))) &&
      (senders === null || senders.contentOwner(event) === content),
  };
}

/** Selects the moves of a message: the event of a move names at most one of the messages that it moved. */
async function selectionOfMoves(
  { message }: LogParameters,
  opening: PastOpening,
): Promise<Pick<LogSelection, 'movedAt'>> {
  if (message === undefined) return {};
  // Loaded only when a message was named, because it imports the whole application.
  const { placementsIn } = await import('../../node/past-placements.js');
  const placementBefore = placementsIn((moment) => openPast(opening, moment));
  return { movedAt: new Set(await movesTaking(opening.stores.log, message, { placementBefore })) };
}

function knownRole(name: string): Role {
  if (Object.hasOwn(roles, name)) return roles[name as keyof typeof roles];
  throw new MisusedError(`There is no role "${name}"; there are ${Object.keys(roles).join(', ')}.`);
}

/** @throws MisusedError */
function contentOf({ content, others = false }: LogParameters): ContentOwner | undefined {
  if (content !== undefined && content !== 'own' && content !== 'others')
    throw new MisusedError(`"${content}" is neither own nor others.`);
  if (others && content === 'own') throw new MisusedError('Say either --others or --content own.');
  return others ? 'others' : content;
}

/** @throws MisusedError */
function topicOf(topic: string, channelId: number | undefined): NamedTopic {
  if (channelId === undefined) throw new MisusedError('--topic needs --channel.');
  return { channelId, topic: standardTopic(topic) };
}

function selectionOf(parameters: LogParameters, names: Names): LogSelection {
  const { stream, type, actor, message, channel, topic, about, from, to } = parameters;
  const channelId = channel === undefined ? undefined : channelNamed(names, channel);
  const content = contentOf(parameters);
  const actorIds = actor?.map((who) => (who === 'server' ? null : personNamed(names, who)));
  return {
    ...(stream && { streams: stream }),
    ...(type && { types: type.map(knownType) }),
    ...(actorIds && { actorIds: new Set(actorIds) }),
    ...(message !== undefined && { messageId: message }),
    ...(about !== undefined && { aboutId: personNamed(names, about) }),
    ...(channelId !== undefined && { channelId }),
    ...(topic !== undefined && { topic: topicOf(topic, channelId) }),
    ...(content !== undefined && { content }),
    ...(from !== undefined && beginning(from)),
    ...(to !== undefined && ending(to)),
  };
}

function knownType(type: string): string {
  if (eventCatalog.find(type) !== undefined) return type;
  const known = eventCatalog.definitions.map((definition) => definition.type).sort();
  throw new MisusedError(`There is no event type "${type}"; there are ${known.join(', ')}.`);
}

export function beginning(text: string): LogSelection {
  const moment = parseMoment(text);
  return 'time' in moment ? { since: moment.time } : { from: moment.position };
}

export function ending(text: string): LogSelection {
  const moment = parseMoment(text);
  return 'time' in moment ? { until: moment.time } : { through: moment.position };
}
