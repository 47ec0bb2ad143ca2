import { styleText } from 'node:util';
import { viewsOf, type MessageView } from '../../audit/past/message-views.js';
import { placementsIn } from '../../node/past-placements.js';
import { openPast, type PastOpening } from './past.js';
import { pastSourcesIn } from './past-sources.js';
import {
  readMessageTimeline,
  type MessageTimeline,
  type TimelineChange,
  type TimelineStep,
} from '../../audit/message-timeline/message-timeline.js';
import type { MessageLocation } from '../../audit/message-timeline/message-track.js';
import type { TextChange } from '../../audit/message-timeline/text-changes.js';
import { movesOf } from '../../audit/past/message-moves.js';
import { readNameHistory } from '../../audit/names.js';
import { describedTimeline } from '../../audit/message-timeline/described-timeline.js';
import type { NameHistory } from '../../audit/sentences/name-history.js';
import { sentencesOf } from '../../audit/sentences/sentence-of.js';
import { EventFormatter } from '../../audit/sentences/event-formatter.js';
import { plain, plainLines } from '../../audit/sentences/wording.js';
import { unreachable } from '../../kernel/json.js';
import type { Configuration } from '../../config.js';
import { CommandFailedError, exitCodes, type CommandAction, type ExitCode } from '../command.js';
import type { Terminal } from '../terminal.js';
import { timelineInCsv, viewsInCsv, type PlaceAt } from './history-csv.js';
import { refuseTwoFormats } from './log.js';
import { shownTime } from './moment.js';
import { MovedMessagesHere } from './moved-messages-here.js';
import { recordAuditAccess } from './record-audit-access.js';
import { personNamed, readNames, withLog } from './reading-log.js';

/** The arguments and options of `palimpsest audit history`. */
interface HistoryParameters {
  readonly message: number;
  readonly as?: string;
  readonly csv?: boolean;
}

/** What `palimpsest audit history` does. */
export const showHistory: CommandAction<HistoryParameters> = (parameters, { configuration, terminal }) =>
  withLog(configuration, async (stores) => {
    const { message: messageId, as, csv = false } = parameters;
    refuseTwoFormats({ csv }, terminal);
    const { log } = stores;
    const opening = { configuration, stores, terminal };
    const names = await readNameHistory(log);
    const viewerId = as === undefined ? null : personNamed(await readNames(stores), as);
    await recordAuditAccess(
      { configuration, terminal },
      { view: 'history', selection: { messageId, viewerId } },
    );
    if (viewerId !== null) {
      const views = (await viewsIn(opening, { messageId, viewerId })) ?? neverSent(parameters);
      for (const line of viewLines(views, { names, terminal, isCsv: csv })) await terminal.print(line);
      return exitCodes.done;
    }
    const placementBefore = placementsIn((moment) => openPast(opening, moment));
    const timeline =
      (await readMessageTimeline(log, messageId, { placementBefore })) ?? neverSent(parameters);
    const counted = await withCounts(timeline, configuration);
    for (const line of timelineLines(counted, { names, terminal, isCsv: csv })) await terminal.print(line);
    return codeOf(timeline);
  });

/** Adds to each move how many messages it took along, if that is known. */
async function withCounts(timeline: MessageTimeline, configuration: Configuration): Promise<MessageTimeline> {
  const moved = new MovedMessagesHere(configuration);
  try {
    const events = await moved.addTo(timeline.steps.map(({ event }) => event));
    return { ...timeline, steps: timeline.steps.map((step, index) => ({ ...step, event: events[index]! })) };
  } finally {
    await moved.close();
  }
}

function neverSent({ message }: HistoryParameters): never {
  throw new CommandFailedError(`No message ${message} was ever sent.`);
}

function codeOf({ steps }: MessageTimeline): ExitCode {
  return steps.some(({ change }) => change.kind === 'unreadable') ? exitCodes.faultsFound : exitCodes.done;
}

/** What a person could see of a message; null: no message has this id. */
async function viewsIn(
  opening: PastOpening,
  { messageId, viewerId }: { readonly messageId: number; readonly viewerId: number },
): Promise<readonly MessageView[] | null> {
  const { log, eventStore } = opening.stores;
  const node = await openPast(opening, { position: (await eventStore.head()) ?? 0 });
  try {
    const sources = await pastSourcesIn(node);
    const timeline = await readMessageTimeline(log, messageId, await movesOf(sources, messageId));
    return timeline && (await viewsOf(sources, timeline, viewerId));
  } finally {
    await node.close();
  }
}

interface OutputOptions {
  readonly names: NameHistory;
  readonly terminal: Terminal;
  readonly isCsv: boolean;
}

function viewLines(
  views: readonly MessageView[],
  { names, terminal, isCsv }: OutputOptions,
): readonly string[] {
  if (isCsv) return viewsInCsv(views, placesIn(names));
  return views.map((view) =>
    terminal.json ? JSON.stringify(view) : viewLine(view, namesAt(names, view.position)),
  );
}

function timelineLines(
  timeline: MessageTimeline,
  { names, terminal, isCsv }: OutputOptions,
): readonly string[] {
  if (!terminal.json && !isCsv)
    return timeline.steps.flatMap((step) =>
      linesOf(step, { names: namesAt(names, step.position), terminal }),
    );
  const events = timeline.steps.map(({ event }) => event);
  const sentences = sentencesOf(events, names);
  return isCsv
    ? timelineInCsv(timeline, sentences, placesIn(names))
    : [JSON.stringify(describedTimeline(timeline, sentences))];
}

function placesIn(names: NameHistory): PlaceAt {
  return (location, position) => placeOf(location, namesAt(names, position));
}

function viewLine({ at, position, message }: MessageView, names: Names): string {
  const when = `${shownTime(at)}  (position ${position})  `;
  if (message === null) return `${when}could not be seen`;
  const { stream_id: channelId, subject, flags, content } = message;
  const place = channelId === undefined ? 'directly' : `in ${names.channel(channelId)} > ${plain(subject)}`;
  return `${when}could be seen ${place}, ${markedAs(flags)}: ${JSON.stringify(content)}`;
}

/** How the message was marked for the person. A message of a history that they did not receive is neither. */
function markedAs(flags: readonly string[]): string {
  const read = flags.includes('read') ? 'read' : 'unread';
  const how = flags.includes('historical') ? 'as part of the history' : read;
  return flags.includes('starred') ? `${how}, starred` : how;
}

/** Names of people and channels at the time of an event. */
type Names = Pick<EventFormatter, 'person' | 'channel'>;

function namesAt(history: NameHistory, position: number): Names {
  return new EventFormatter((kind, id) => history.nameAt(kind, id, position), {
    actorId: null,
    causationId: null,
  });
}

interface Showing {
  readonly names: Names;
  readonly terminal: Terminal;
}

function linesOf(
  { at, actorId, client, position, change }: TimelineStep,
  showing: Showing,
): readonly string[] {
  const who = showing.names.person(actorId);
  const heading = `${shownTime(at)}  ${who} ${actionOf(change, showing)}  (${plain(client)}, position ${position})`;
  return [heading, ...textOf(change, showing).map((line) => `    ${line}`)];
}

function actionOf(change: TimelineChange, { names }: Showing): string {
  switch (change.kind) {
    case 'sent':
      return `sent it to ${placeOf(change.location, names)}`;
    case 'edited':
      return 'edited it';
    case 'moved':
      return `moved it from ${placeOf(change.from, names)} to ${placeOf(change.to, names)}`;
    case 'reaction-added':
      return `reacted with :${plain(change.emoji)}:`;
    case 'reaction-removed':
      return `took :${plain(change.emoji)}: back`;
    case 'submessage-attached':
      return `took part with ${plain(change.content)}`;
    case 'deleted':
      return 'deleted it';
    case 'unreadable':
      return `did what cannot be read: ${plain(change.type)}, ${plain(change.reason)}`;
    default:
      return unreachable(change);
  }
}

function placeOf(location: MessageLocation, names: Names): string {
  if (location.type === 'direct') return location.userIds.map((id) => names.person(id)).join(', ');
  return `${names.channel(location.channelId)} > ${plain(location.topic) || '(no topic)'}`;
}

function textOf(change: TimelineChange, { terminal }: Showing): readonly string[] {
  if (change.kind === 'sent') return plainLines(change.content);
  if (change.kind !== 'edited') return [];
  return change.changes
    .map((part) => marked(part, terminal.colours))
    .join('')
    .split('\n');
}

function marked({ kind, text: written }: TextChange, colours: boolean): string {
  const text = plainLines(written).join('\n');
  switch (kind) {
    case 'kept':
      return text;
    case 'added':
      return colours ? styleText('green', `{+${text}+}`) : `{+${text}+}`;
    case 'removed':
      return colours ? styleText('red', `[-${text}-]`) : `[-${text}-]`;
  }
}
