import { hasId } from '../../contexts/messages/flags/id-ranges.js';
import {
  evolveFlags,
  isReadOnArrival,
  noFlags,
  type FlaggedMessage,
  type PersonalFlags,
} from '../../contexts/messages/flags/flags.state.js';
import { PersonMuted, PersonUnmuted } from '../../events/attention.js';
import { flagEvents, MessagesMarkedRead, type FlagEvent } from '../../events/message-flags.js';
import { isEvent, type RecordedEvent } from '../../kernel/event.js';
import { foundEventsOf } from '../log-index/found-events.js';
import { sendingOf } from '../message-timeline/sent-message.js';
import type { StoredMessage } from './conversation/conversation.js';
import type { PastSources } from './past-sources.js';

type MarkSources = Pick<PastSources, 'log' | 'index' | 'deadline'>;

/** When somebody read a message. */
export interface Reading {
  readonly position: number;
  /** Milliseconds since the UNIX epoch. */
  readonly at: number;
}

interface Mark extends Reading {
  /** Whether the mark names a range that may include messages that the person did not have. */
  readonly isByRange: boolean;
}

/** Everybody's marks of one message, by user id. */
interface Marks {
  readonly flags: ReadonlyMap<number, PersonalFlags>;
  /** When people marked it as read themselves, while it was unread, and not as unread since. */
  readonly readings: ReadonlyMap<number, Reading>;
  /** When people starred it, who had not received it. */
  readonly adoptions: ReadonlyMap<number, Reading>;
}

/** The moment, and who has the message because it was moved to where they are. */
interface MarksContext {
  readonly position: number;
  readonly wasGiven: (userId: number) => boolean;
}

/** Returns everybody's marks of one message at a position. @throws the error of the deadline */
export async function marksOf(
  sources: MarkSources,
  message: MarkedMessage,
  { position, wasGiven }: MarksContext,
): Promise<Marks> {
  const flags = new Map<number, PersonalFlags>();
  const readings = new Map<number, Mark>();
  const adoptions = new Map<number, Reading>();
  const selection = { messageId: message._id, through: position };
  for await (const event of foundEventsOf(sources, flagEvents, selection)) {
    const { userId } = event.data;
    const before = flags.get(userId) ?? noFlags;
    const mark = { position: event.position, at: event.metadata.at, isByRange: isByRange(event) };
    if (isReading(event, message, { before, wasGiven })) readings.set(userId, mark);
    const after = evolveFlags(before, event);
    if (hasId(after.unread, message._id)) readings.delete(userId);
    if (!adoptions.has(userId) && hasId(after.adopted, message._id)) {
      adoptions.set(userId, mark);
      // Who had not received it yet did not read it when a range of messages around it was marked.
      if (readings.get(userId)?.isByRange === true) readings.delete(userId);
    }
    flags.set(userId, after);
  }
  return { flags, readings, adoptions };
}

/** What decides whether a mark of a message means that it was read. */
type MarkedMessage = Pick<
  FlaggedMessage,
  '_id' | 'senderId' | 'readBySender' | 'readOnArrival' | 'mutedByIds'
>;

/**
 * Whether a person read an unread message, as opposed to the server marking it, or a range that contains it already read. What a move gave
 * somebody counts as read from the beginning, so that marking everything says nothing about it, whether before the move or after.
 */
function isReading(
  event: RecordedEvent<FlagEvent>,
  message: MarkedMessage,
  { before, wasGiven }: Pick<MarksContext, 'wasGiven'> & { readonly before: PersonalFlags },
): boolean {
  if (!isEvent(event, MessagesMarkedRead) || event.metadata.causationId !== null) return false;
  const { userId, ranges, everything, changed = ranges } = event.data;
  const id = message._id;
  if (!hasId(changed, id) || hasId(before.read, id)) return false;
  if (hasId(before.unread, id)) return true;
  // It was read already: by the sending, or since the person starred it.
  if ((message.readBySender && userId === message.senderId) || hasId(before.adopted, id)) return false;
  return !isReadOnArrival(message, userId) && !(everything === true && wasGiven(userId));
}

function isByRange(event: RecordedEvent<FlagEvent>): boolean {
  if (!isEvent(event, MessagesMarkedRead)) return false;
  return event.data.everything === true || event.data.changed === undefined;
}

/** The facts about the sending of a message on which its read state depends. */
export type SentFacts = Pick<FlaggedMessage, 'readBySender' | 'readOnArrival' | 'mutedByIds'>;

/**
 * For a deleted message, whose document is gone, they are read from the log. Returns defaults when the event that sent
 * it cannot be read.
 */
export async function sentFactsOf(
  sources: MarkSources,
  { _id, senderId, present }: Pick<StoredMessage, '_id' | 'senderId' | 'present'>,
): Promise<SentFacts> {
  if (present !== null) {
    const { readBySender, readOnArrival, mutedByIds } = present;
    return { readBySender, readOnArrival, mutedByIds };
  }
  const sent = await sendingOf(sources.log, _id);
  if (sent === null) return { readBySender: false, readOnArrival: null, mutedByIds: [] };
  const { readBySender, readOnArrival = null } = sent.data;
  return { readBySender, readOnArrival, mutedByIds: await mutersOf(sources, senderId, sent.position) };
}

/** The people who had muted a person at a position. */
async function mutersOf(sources: MarkSources, userId: number, position: number): Promise<readonly number[]> {
  const muters = new Set<number>();
  const selection = { aboutId: userId, through: position };
  for await (const event of foundEventsOf(sources, [PersonMuted, PersonUnmuted] as const, selection)) {
    if (event.data.mutedUserId !== userId) continue;
    if (isEvent(event, PersonMuted)) muters.add(event.data.userId);
    else muters.delete(event.data.userId);
  }
  return [...muters].sort((one, other) => one - other);
}
