import type { CaseScope } from '../../events/cases.js';
import {
  MessageDeleted,
  MessageEdited,
  messagesStream,
  messageStream,
  MessageSent,
} from '../../events/messages.js';
import { isEvent, type Recorded, type RecordedEvent } from '../../kernel/event.js';
import { idAtRevision, revisionOfId } from '../../kernel/ids.js';
import type { EventLog } from '../../stores/event-store/event-log.js';
import type { PersistedEvent } from '../../stores/event-store/port.js';
import {
  decodeReadable,
  isReadable,
  type UnreadableEvent,
} from '../../stores/event-store/readable-events.js';
import { eventsOfStream } from '../../stores/event-store/stream-pages.js';
import { isInScope, textTest } from './coverage.js';
import type { Placement, Placements } from './placements.js';

/** What a message said from a moment on. */
export interface MessageVersion {
  readonly content: string;
  /** Whether the key of the text is destroyed: a placeholder stands for it. */
  readonly erased: boolean;
  /** Milliseconds since the UNIX epoch. */
  readonly at: number;
  readonly actorId: number | null;
  /** Ids of the uploads that it refers to. */
  readonly uploadIds: readonly number[];
}

/** A message that a case covers, with everything that became of it. */
export interface CoveredMessage {
  readonly messageId: number;
  readonly senderId: number;
  /** Everywhere it has lain, in order. */
  readonly placements: readonly Placement[];
  /** The first one is what was sent. */
  readonly versions: readonly MessageVersion[];
  /** Milliseconds since the UNIX epoch; null: it was not deleted. */
  readonly deletedAt: number | null;
  readonly deletedBy: number | null;
  /** Its events as they are stored: its sending, and what stands in its own stream. */
  readonly stored: readonly PersistedEvent[];
}

/** What is looked for in the log. */
export interface CoverageInput {
  readonly scope: CaseScope;
  /** Null: whatever a message says. */
  readonly words: string | null;
  /** Nothing after this position counts. */
  readonly through: number;
  /** Only messages sent after this one count; absent: all. */
  readonly after?: number;
  /** Told up to where messages were looked at, again and again; what it throws ends the search. */
  readonly onProgress?: (position: number) => Promise<void> | void;
  /** Told of an event that cannot be read, which is passed over then; absent: it ends the search. */
  readonly onUnreadable?: (event: UnreadableEvent) => void;
}

/** Messages whose events are read at once. */
const pageSize = 500;

/**
 * Finds in the log every message that a scope lets through, also those that were deleted: in the order in which they were sent, a few
 * hundred in memory at a time.
 *
 * @throws UnreadableEventError when one of their events cannot be read, unless `onUnreadable` is told of it
 */
export async function* coveredMessages(
  { log, placements }: { readonly log: EventLog; readonly placements: Placements },
  input: CoverageInput,
): AsyncGenerator<CoveredMessage> {
  const { scope, words, through, onProgress = () => {} } = input;
  await placements.load(through);
  const says = textTest(words);
  const after = await positionOf(log, input.after ?? 0);
  for await (const page of log.store.readAll({ after, types: [MessageSent.type], pageSize })) {
    const stored = page.events.filter(({ position }) => position <= through);
    const sent = await readable(stored, (events) => log.decodeClear(events), input);
    const wanted = sent.flatMap(({ event, decoded }) => {
      const { data, metadata } = decoded as Recorded<typeof MessageSent>;
      const place = {
        messageId: idAtRevision(event.revision),
        recipient: data.recipient,
        position: event.position,
      };
      const places = placements.of(place, through).map((one) => one.place);
      return isInScope(scope, { senderId: data.senderId, places, at: metadata.at }) ? [event] : [];
    });
    for (const message of await readMessages(log, wanted, input)) {
      const covered = coveredOf(message, placements, through);
      if (words === null || covered.versions.some(({ content, erased }) => !erased && says(content)))
        yield covered;
    }
    await onProgress(Math.min(page.position, through));
    if (page.position >= through) return;
  }
}

/** Where a message was sent; null for none: from the beginning. */
async function positionOf(log: EventLog, messageId: number): Promise<number | null> {
  if (messageId === 0) return null;
  const [sent] = await log.store.readStream(messagesStream, { from: revisionOfId(messageId), limit: 1 });
  return sent?.position ?? null;
}

/** A message's events, as they are stored and as they read. */
export interface ReadMessage {
  readonly stored: readonly PersistedEvent[];
  readonly events: readonly RecordedEvent[];
}

async function readMessages(
  log: EventLog,
  sent: readonly PersistedEvent[],
  input: CoverageInput,
): Promise<readonly ReadMessage[]> {
  const lives = await Promise.all(sent.map((event) => lifeOf(log, event, input.through)));
  const read = await readable(lives.flat(), (events) => log.decode(events), input);
  const decoded = new Map(read.map(({ event, decoded: one }) => [event.id, one]));
  // A message whose sending cannot be read says nothing of who sent it where.
  return lives.flatMap((stored) =>
    decoded.has(stored[0]!.id) ? [{ stored, events: stored.flatMap(({ id }) => decoded.get(id) ?? []) }] : [],
  );
}

interface Read {
  readonly event: PersistedEvent;
  readonly decoded: RecordedEvent;
}

/** Events as they read. */
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

async function lifeOf(
  log: EventLog,
  sent: PersistedEvent,
  through: number,
): Promise<readonly PersistedEvent[]> {
  const life = [sent];
  for await (const event of eventsOfStream(log.store, messageStream(idAtRevision(sent.revision)))) {
    if (event.position <= through) life.push(event);
  }
  return life;
}

/** Puts together what became of a message. @param through no later move of it counts */
export function coveredOf(
  { stored, events }: ReadMessage,
  placements: Pick<Placements, 'of'>,
  through: number,
): CoveredMessage {
  const [sent] = events as [Recorded<typeof MessageSent>];
  const { senderId, recipient } = sent.data;
  const messageId = idAtRevision(sent.revision);
  const deletion = events.find((event) => isEvent(event, MessageDeleted));
  return {
    messageId,
    senderId,
    placements: placements.of({ messageId, recipient, position: sent.position }, through),
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
