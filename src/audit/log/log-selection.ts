import type { RecordedEvent } from '../../kernel/event.js';
import { idAtRevision } from '../../kernel/ids.js';
import { eventSubjects, type ContentOwner } from '../../contexts/audit-index/facets.js';
import type { EventSubjects, NamedTopic } from '../../events/event-subjects.js';
import { MESSAGES_STREAM, messageStream } from '../../events/messages.js';
import type { Role } from '../../events/users.js';
import { topicKey } from '../../events/values/message-text.js';

/** Which events somebody wants to see. An absent field accepts every event. */
export interface LogSelection {
  /** Names of streams. A name that ends with `*` matches all names with that prefix. */
  readonly streams?: readonly string[];
  readonly types?: readonly string[];
  /** Ids of the actors; null: the server itself. */
  readonly actorIds?: ReadonlySet<number | null>;
  readonly messageId?: number;
  /** Positions of moves that included the message `messageId`: they concern it, whatever they name. */
  readonly movedAt?: ReadonlySet<number>;
  readonly channelId?: number;
  readonly topic?: NamedTopic;
  /** Roles of the actors at the time. Only the index of the log knows them; {@link isSelected} ignores this field. */
  readonly roles?: readonly Role[];
  /** Whose content was changed. Only the index knows it; {@link isSelected} ignores this field. */
  readonly content?: ContentOwner;
  /** Id of a person who acted or whom the event concerns. */
  readonly aboutId?: number;
  /** A further test that an event must pass. It receives the stored form of events that cannot be read. */
  readonly passes?: (event: RecordedEvent) => boolean;
  /** Only events at or after this position; no event need have exactly this position. */
  readonly from?: number;
  /** Only events up to and including this position. */
  readonly through?: number;
  /** Only events that were decided at or after this time, in milliseconds since the UNIX epoch. */
  readonly since?: number;
  /** Only events that were decided at or before this time. */
  readonly until?: number;
}

/** Whether an event is selected; for one that cannot be read, its stored form is examined. */
export function isSelected(event: RecordedEvent, selection: LogSelection): boolean {
  const { streams, types, actorIds, passes, from, through, since, until } = selection;
  const { actorId, at } = event.metadata;
  return (
    (from === undefined || event.position >= from) &&
    (through === undefined || event.position <= through) &&
    (since === undefined || at >= since) &&
    (until === undefined || at <= until) &&
    (types === undefined || types.includes(event.type)) &&
    isInStreams(event, streams) &&
    (actorIds === undefined || actorIds.has(actorId)) &&
    isAbout(event, selection) &&
    (passes === undefined || passes(event))
  );
}

function isAbout(
  event: RecordedEvent,
  { messageId, movedAt, channelId, topic, aboutId }: LogSelection,
): boolean {
  if ([messageId, channelId, topic, aboutId].every((one) => one === undefined)) return true;
  const subjects = eventSubjects(event);
  return (
    (messageId === undefined ||
      movedAt?.has(event.position) === true ||
      concernsMessage(event, subjects, messageId)) &&
    (channelId === undefined || concernsChannel(event, subjects, channelId)) &&
    (topic === undefined || concernsTopic(subjects, topic)) &&
    (aboutId === undefined || concernsPerson(event, subjects, aboutId))
  );
}

/** Whether an event is in one of the streams of a selection. */
export function isInStreams(
  { stream }: Pick<RecordedEvent, 'stream'>,
  streams: LogSelection['streams'],
): boolean {
  if (streams === undefined) return true;
  return streams.some((wanted) =>
    wanted.endsWith('*') ? stream.startsWith(wanted.slice(0, -1)) : stream === wanted,
  );
}

/**
 * The event that sent it, the events of its own stream, and all that name it, alone or among others: the move that was
 * requested on it, stars, and ranges of ids that were marked as read or unread. Such a range also covers messages that
 * the person never received.
 */
function concernsMessage(
  event: RecordedEvent,
  { messages, ranges }: EventSubjects,
  messageId: number,
): boolean {
  if (event.stream === MESSAGES_STREAM) return idAtRevision(event.revision) === messageId;
  return (
    event.stream === messageStream(messageId) ||
    messages.includes(messageId) ||
    ranges.some(({ from, through }) => from <= messageId && messageId <= through)
  );
}

/** What happened in the channel or to it, and the messages sent or moved to it. */
function concernsChannel({ stream }: RecordedEvent, { channels }: EventSubjects, channelId: number): boolean {
  return stream === `channel-${channelId}` || channels.includes(channelId);
}

/** Messages sent to the topic or moved from or to it, and people's visibility policies for it. */
function concernsTopic({ topics }: EventSubjects, { channelId, topic }: NamedTopic): boolean {
  return topics.some((one) => one.channelId === channelId && topicKey(one.topic) === topicKey(topic));
}

/** What a person did, and the events that name them. */
function concernsPerson({ metadata }: RecordedEvent, { people }: EventSubjects, userId: number): boolean {
  return metadata.actorId === userId || people.includes(userId);
}
