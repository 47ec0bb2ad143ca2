import type { RecordedEvent } from '../kernel/event.js';
import { messagesStream, messageStream } from '../messages/message.js';

/** Which events somebody wants to see. What is absent lets every event through. */
export interface LogSelection {
  /** Names of streams; one that ends with `*` stands for all that begin with what precedes it. */
  readonly streams?: readonly string[];
  readonly types?: readonly string[];
  /** Ids of those who acted; null: the server itself. */
  readonly actorIds?: ReadonlySet<number | null>;
  readonly messageId?: number;
  readonly channelId?: number;
  /** Only events at or after this position, which need not be one of an event. */
  readonly from?: number;
  /** Only events up to and including this position. */
  readonly through?: number;
  /** Only events that were decided at or after this time, in milliseconds since the UNIX epoch. */
  readonly since?: number;
  /** Only events that were decided at or before this time. */
  readonly until?: number;
}

/** Whether an event is among those that are wanted. */
export function isSelected(event: RecordedEvent, selection: LogSelection): boolean {
  const { streams, types, actorIds, messageId, channelId, from, through, since, until } = selection;
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
    (channelId === undefined || concernsChannel(event, channelId))
  );
}

function isInStream({ stream }: RecordedEvent, wanted: string): boolean {
  return wanted.endsWith('*') ? stream.startsWith(wanted.slice(0, -1)) : stream === wanted;
}

/** Its sending, what happened in its own stream, and whatever names it, such as the move that was asked for on it. */
function concernsMessage(event: RecordedEvent, messageId: number): boolean {
  if (event.stream === messagesStream) return event.revision + 1 === messageId;
  return event.stream === messageStream(messageId) || membersOf(event)['messageId'] === messageId;
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

function channelIn(part: unknown): unknown {
  return typeof part === 'object' && part !== null && 'channelId' in part ? part.channelId : undefined;
}

function membersOf({ data }: RecordedEvent): Readonly<Record<string, unknown>> {
  return (data ?? {}) as Readonly<Record<string, unknown>>;
}
