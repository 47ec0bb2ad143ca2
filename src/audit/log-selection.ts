import type { RecordedEvent } from '../kernel/event.js';
import { peopleNamedIn } from './sentences/people-named.js';
import { messagesStream, messageStream } from '../events/messages.js';

/** Which events somebody wants to see. What is absent lets every event through. */
export interface LogSelection {
  /** Names of streams; one that ends with `*` stands for all that begin with what precedes it. */
  readonly streams?: readonly string[];
  readonly types?: readonly string[];
  /** Ids of those who acted; null: the server itself. */
  readonly actorIds?: ReadonlySet<number | null>;
  readonly messageId?: number;
  readonly channelId?: number;
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

/**
 * Whether an event is among those that are wanted.
 *
 * @param isRead false: it is what is stored of an event that cannot be read, whose sentence nobody knows
 */
export function isSelected(event: RecordedEvent, selection: LogSelection, isRead = true): boolean {
  const { streams, types, actorIds, messageId, channelId, aboutId, passes, from, through, since, until } =
    selection;
  const { actorId, at } = event.metadata;
  return (
    (from === undefined || event.position >= from) &&
    (through === undefined || event.position <= through) &&
    (since === undefined || at >= since) &&
    (until === undefined || at <= until) &&
    (types === undefined || types.includes(event.type)) &&
    (streams === undefined || streams.some((stream) => isInStream(event, stream))) &&
    (actorIds === undefined || actorIds.has(actorId)) &&
    (messageId === undefined || concernsMessage(event, messageId)) &&
    (channelId === undefined || concernsChannel(event, channelId)) &&
    (aboutId === undefined ||
      concernsPerson(event, aboutId) ||
      (isRead && peopleNamedIn(event).has(aboutId))) &&
    (passes === undefined || passes(event))
  );
}

function isInStream({ stream }: RecordedEvent, wanted: string): boolean {
  return wanted.endsWith('*') ? stream.startsWith(wanted.slice(0, -1)) : stream === wanted;
}

/**
 * Its sending, what happened in its own stream, and whatever names it, alone or among others: the move that was asked for on it, who
 * starred it, and stretches of ids that were marked as read or unread, which also run over messages that never reached that person.
 */
function concernsMessage(event: RecordedEvent, messageId: number): boolean {
  if (event.stream === messagesStream) return event.revision + 1 === messageId;
  const { messageId: only, messageIds, ranges } = membersOf(event);
  return (
    event.stream === messageStream(messageId) ||
    only === messageId ||
    (Array.isArray(messageIds) && messageIds.includes(messageId)) ||
    (Array.isArray(ranges) && ranges.some((range) => covers(range, messageId)))
  );
}

function covers(range: unknown, messageId: number): boolean {
  if (typeof range !== 'object' || range === null || !('from' in range) || !('through' in range))
    return false;
  return Number(range.from) <= messageId && messageId <= Number(range.through);
}

/** What happened in the channel or to it, and what was sent to it or came to it. */
function concernsChannel(event: RecordedEvent, channelId: number): boolean {
  const { channelId: own, recipient, selection, newChannel } = membersOf(event);
  return (
    event.stream === `channel-${channelId}` ||
    own === channelId ||
    [recipient, selection, newChannel].some((part) => channelIn(part) === channelId)
  );
}

/** What a person did, and what is about their account. */
function concernsPerson(event: RecordedEvent, userId: number): boolean {
  const { userId: own, userIds } = membersOf(event);
  return (
    event.metadata.actorId === userId ||
    own === userId ||
    (Array.isArray(userIds) && userIds.includes(userId))
  );
}

function channelIn(part: unknown): unknown {
  return typeof part === 'object' && part !== null && 'channelId' in part ? part.channelId : undefined;
}

function membersOf({ data }: RecordedEvent): Readonly<Record<string, unknown>> {
  return (data ?? {}) as Readonly<Record<string, unknown>>;
}
