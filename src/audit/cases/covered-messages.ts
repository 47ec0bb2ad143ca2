import type { CaseScope } from '../../events/cases.js';
import {
  MessageDeleted,
  MessageEdited,
  MESSAGES_STREAM,
  messageStream,
  MessageSent,
} from '../../events/messages.js';
import { isEvent, type Recorded, type RecordedEvent } from '../../kernel/event.js';
import { idAtRevision, revisionOfId } from '../../kernel/ids.js';
import type { EventLog } from '../../stores/event-store/event-log.js';
import { eventsOfStream, type PersistedEvent } from '../../stores/event-store/port.js';
import {
  decodeReadable,
  isReadable,
  type UnreadableEvent,
} from '../../stores/event-store/readable-events.js';
import { isInScope, textTest } from './coverage.js';
import type { MessageLocation, MessageLocations } from './message-locations.js';

/** The text of a message from a moment on. */
interface MessageVersion {
  readonly content: string;
  /** Whether the key of the text is destroyed, so that the text is a placeholder. */
  readonly erased: boolean;
  /** Milliseconds since the UNIX epoch. */
  readonly at: number;
  readonly actorId: number | null;
  /** Ids of the uploads that the text refers to. */
  readonly uploadIds: readonly number[];
}

/** A message that a case covers, with everything that happened to it. */
export interface CoveredMessage {
  readonly messageId: number;
  readonly senderId: number;
  /** Every place that it was in, in order. */
  readonly locations: readonly MessageLocation[];
  /** The first is the text that was sent. */
  readonly versions: readonly MessageVersion[];
  /** Milliseconds since the UNIX epoch; null: it was not deleted. */
  readonly deletedAt: number | null;
  readonly deletedBy: number | null;
  /** Its events as they are stored: the event that sent it, and those of its own stream. */
  readonly stored: readonly PersistedEvent[];
}

/** Which messages to look for. */
export interface CoverageInput {
  readonly scope: CaseScope;
  /** Null: any text. */
  readonly words: string | null;
  /** Events after this position are ignored. */
  readonly through: number;
  /** Only messages with greater ids; absent: all. */
  readonly after?: number;
  /** Called repeatedly with the position up to which messages were looked at; an error thrown by it ends the search. */
  readonly onProgress?: (position: number) => Promise<void> | void;
  /** Called for an event that cannot be read, which is then skipped; absent: such an event ends the search. */
  readonly onUnreadable?: (event: UnreadableEvent) => void;
}

/** Messages whose events are read at once. */
const PAGE_SIZE = 500;

/**
 * Finds every message of the log that is in a scope, including deleted ones, in the order of sending, with a few
 * hundred in memory at a time.
 *
 * @throws UnreadableEventError when one of their events cannot be read and `onUnreadable` is absent
 */
export async function* coveredMessages(
  { log, locations }: { readonly log: EventLog; readonly locations: MessageLocations },
  input: CoverageInput,
): AsyncGenerator<CoveredMessage> {
  const { scope, words, through, onProgress = () => {} } = input;
  await locations.load(through);
  const says = textTest(words);
  const after = await positionOf(log, input.after ?? 0);
  for await (const page of log.store.readAll({ after, types: [MessageSent.type], pageSize: PAGE_SIZE })) {
    const stored = page.events.filter(({ position }) => position <= through);
    const sent = await readable(stored, (events) => log.decodeWithoutDecrypting(events), input);
    const wanted = sent.flatMap(({ event, decoded }) => {
      const { data, metadata } = decoded as Recorded<typeof MessageSent>;
      const place = {
        messageId: idAtRevision(event.revision),
        recipient: data.recipient,
        position: event.position,
      };
      const places = locations.of(place, through).map((one) => one.place);
      return isInScope(scope, { senderId: data.senderId, places, at: metadata.at }) ? [event] : [];
    });
    for (const message of await readMessages(log, wanted, input)) {
      const covered = coveredOf(message, locations, through);
      if (words === null || covered.versions.some(({ content, erased }) => !erased && says(content)))
        yield covered;
    }
    await onProgress(Math.min(page.position, through));
    if (page.position >= through) return;
  }
}

/** Returns the position at which a message was sent; null for id 0: start at the beginning. */
async function positionOf(log: EventLog, messageId: number): Promise<number | null> {
  if (messageId === 0) return null;
  const [sent] = await log.store.readStream(MESSAGES_STREAM, { from: revisionOfId(messageId), limit: 1 });
  return sent?.position ?? null;
}

/** The events of a message, stored and decoded. */
interface ReadMessage {
  readonly stored: readonly PersistedEvent[];
  readonly events: readonly RecordedEvent[];
}

async function readMessages(
  log: EventLog,
  sent: readonly PersistedEvent[],
  input: CoverageInput,
): Promise<readonly ReadMessage[]> {
  const timelines = await Promise.all(sent.map((event) => timelineOf(log, event, input.through)));
  const read = await readable(timelines.flat(), (events) => log.decode(events), input);
  const decoded = new Map(read.map(({ event, decoded: one }) => [event.id, one]));
  // Without the event that sent it, neither the sender nor the place of a message is known.
  return timelines.flatMap((stored) =>
    decoded.has(stored[0]!.id) ? [{ stored, events: stored.flatMap(({ id }) => decoded.get(id) ?? []) }] : [],
  );
}

interface Read {
  readonly event: PersistedEvent;
  readonly decoded: RecordedEvent;
}

/** Decodes events. */
async function readable(
  events: readonly PersistedEvent[],
  decode: (events: readonly PersistedEvent[]) => Promise<readonly RecordedEvent[]>,
  { onUnreadable }: CoverageInput,
): Promise<readonly Read[]> {
  const decoded: readonly (RecordedEvent | UnreadableEvent)[] =
    onUnreadable === undefined ? await decode(events) : await decodeReadable({ decode }, events);
  return decoded.flatMap((one, index) => {
    if (isReadable(one)) return [{ event: events[index]!, decoded: one }];
    onUnreadable?.(one);
    return [];
  });
}

async function timelineOf(
  log: EventLog,
  sent: PersistedEvent,
  through: number,
): Promise<readonly PersistedEvent[]> {
  const timeline = [sent];
  for await (const event of eventsOfStream(log.store, messageStream(idAtRevision(sent.revision)))) {
    if (event.position <= through) timeline.push(event);
  }
  return timeline;
}

/** Builds a covered message from its events. @param through later moves are ignored */
export function coveredOf(
  { stored, events }: ReadMessage,
  locations: Pick<MessageLocations, 'of'>,
  through: number,
): CoveredMessage {
  const [sent] = events as [Recorded<typeof MessageSent>];
  const { senderId, recipient } = sent.data;
  const messageId = idAtRevision(sent.revision);
  const deletion = events.find((event) => isEvent(event, MessageDeleted));
  return {
    messageId,
    senderId,
    locations: locations.of({ messageId, recipient, position: sent.position }, through),
    versions: events.flatMap((event) => versionOf(event) ?? []),
    deletedAt: deletion?.metadata.at ?? null,
    deletedBy: deletion?.metadata.actorId ?? null,
    stored,
  };
}

function versionOf(event: RecordedEvent): MessageVersion | null {
  if (!isEvent(event, MessageSent, MessageEdited)) return null;
  const { content, references } = event.data;
  const { at, actorId } = event.metadata;
  return { content, erased: event.erased, at, actorId, uploadIds: references.uploads ?? [] };
}
