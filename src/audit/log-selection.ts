import type { RecordedEvent } from '../kernel/event.js';
import { concernsOf, type ContentOwner } from '../contexts/audit-index/facets.js';
import type { Concerned, NamedTopic } from '../events/concerned.js';
import { messagesStream, messageStream } from '../events/messages.js';
import type { Role } from '../events/users.js';
import { topicKey } from '../events/values/message-text.js';

/** Which events somebody wants to see. What is absent lets every event through. */
export interface LogSelection {
  /** Names of streams; one that ends with `*` stands for all that begin with what precedes it. */
  readonly streams?: readonly string[];
  readonly types?: readonly string[];
  /** Ids of those who acted; null: the server itself. */
  readonly actorIds?: ReadonlySet<number | null>;
  readonly messageId?: number;
  /** Positions of moves that took that message along: they concern it, whatever they name. */
  readonly movedAt?: ReadonlySet<number>;
  readonly channelId?: number;
  readonly topic?: NamedTopic;
  /** Roles of those who acted, as of then: the index of the log knows them, and {@link isSelected} does not look. */
  readonly roles?: readonly Role[];
  /** Whose content was changed: the index knows, and {@link isSelected} does not look. */
  readonly content?: ContentOwner;
  /** Id of a person who acted, or whom the event concerns. */
  readonly aboutId?: number;
  /** What else an event must pass, also one that cannot be read, by what is stored of it. */
  readonly passes?: (event: RecordedEvent) => boolean;
  /** Only events at or after this position, which need not be one of an event. */
  readonly from?: number;
  /** Only events up to and including this position. */
  readonly through?: number;
  /** Only events that were decided at or after this time, in milliseconds since the UNIX epoch. */
  readonly since?: number;
  /** Only events that were decided at or before this time. */
  readonly until?: number;
}

/** Whether an event is among those that are wanted; of one that cannot be read, what is stored of it is looked at. */
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
  const concerned = concernsOf(event);
  return (
    (messageId === undefined ||
      movedAt?.has(event.position) === true ||
      concernsMessage(event, concerned, messageId)) &&
    (channelId === undefined || concernsChannel(event, concerned, channelId)) &&
    (topic === undefined || concernsTopic(concerned, topic)) &&
    (aboutId === undefined || concernsPerson(event, concerned, aboutId))
  );
}

/** Whether an event stands in one of the streams of a selection. */
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
 * Its sending, what happened in its own stream, and whatever names it, alone or among others: the move that was asked for on it, who
 * starred it, and stretches of ids that were marked as read or unread, which also run over messages that never reached that person.
 */
function concernsMessage(
  event: RecordedEvent,
  { messages, stretches }: Concerned,
  messageId: number,
): boolean {
  if (event.stream === messagesStream) return event.revision + 1 === messageId;
  return (
    event.stream === messageStream(messageId) ||
    messages.includes(messageId) ||
    stretches.some(({ from, through }) => from <= messageId && messageId <= through)
  );
}

/** What happened in the channel or to it, and what was sent to it or came to it. */
function concernsChannel({ stream }: RecordedEvent, { channels }: Concerned, channelId: number): boolean {
  return stream === `channel-${channelId}` || channels.includes(channelId);
}

/** What was sent to the topic, moved from it or to it, and what people want to see of it. */
function concernsTopic({ topics }: Concerned, { channelId, topic }: NamedTopic): boolean {
  return topics.some((one) => one.channelId === channelId && topicKey(one.topic) === topicKey(topic));
}

/** What a person did, and what names them. */
function concernsPerson({ metadata }: RecordedEvent, { people }: Concerned, userId: number): boolean {
  return metadata.actorId === userId || people.includes(userId);
}
