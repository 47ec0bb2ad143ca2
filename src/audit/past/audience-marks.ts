import {
  evolveFlags,
  noFlags,
  type FlaggedMessage,
  type PersonalFlags,
} from '../../contexts/messages/flags/flags.state.js';
import { PersonMuted, PersonUnmuted } from '../../events/attention.js';
import { flagEvents, type FlagEvent } from '../../events/message-flags.js';
import { MessageSent, messagesStream } from '../../events/messages.js';
import { isEvent, type RecordedEvent } from '../../kernel/event.js';
import { decodeReadable, isReadable } from '../../stores/event-store/readable-events.js';
import { foundEvents } from '../log-index/found-events.js';
import type { LogSelection } from '../log-selection.js';
import type { StoredMessage } from './conversation/conversation.js';
import type { PastSources } from './past-sources.js';

type MarkSources = Pick<PastSources, 'log' | 'index' | 'deadline'>;

const markTypes = flagEvents.map(({ type }) => type);

/** The events by which people marked a message, in log order. @throws the error of the deadline */
export async function* marksIn(
  { log, index, deadline }: MarkSources,
  selection: Pick<LogSelection, 'messageId' | 'aboutId' | 'through'>,
): AsyncGenerator<RecordedEvent<FlagEvent>> {
  const indexed = { log, index: await index.open(), deadline };
  for await (const event of foundEvents(indexed, { ...selection, types: markTypes }))
    if (isReadable(event) && isEvent(event, ...flagEvents)) yield event;
}

/** Returns everybody's flags of one message at a position, by user id. @throws the error of the deadline */
export async function marksOf(
  sources: MarkSources,
  messageId: number,
  position: number,
): Promise<ReadonlyMap<number, PersonalFlags>> {
  const marks = new Map<number, PersonalFlags>();
  for await (const event of marksIn(sources, { messageId, through: position })) {
    const { userId } = event.data;
    marks.set(userId, evolveFlags(marks.get(userId) ?? noFlags, event));
  }
  return marks;
}

/** The facts about the sending of a message on which its read state depends. */
export type SentFacts = Pick<FlaggedMessage, 'readBySender' | 'readOnArrival' | 'mutedByIds'>;

/**
 * Reads them from the log for a deleted message, whose document is gone. Returns defaults when the event that sent it
 * cannot be read.
 */
export async function sentFactsOf(
  sources: MarkSources,
  { _id, senderId }: Pick<StoredMessage, '_id' | 'senderId'>,
): Promise<SentFacts> {
  const { log } = sources;
  const stored = await log.store.readStream(messagesStream, { from: _id - 1, limit: 1 });
  const [sent] = await decodeReadable(log, stored);
  if (sent === undefined || !isReadable(sent) || !isEvent(sent, MessageSent))
    return { readBySender: false, readOnArrival: null, mutedByIds: [] };
  const { readBySender, readOnArrival = null } = sent.data;
  return { readBySender, readOnArrival, mutedByIds: await mutersOf(sources, senderId, sent.position) };
}

const muteTypes = [PersonMuted.type, PersonUnmuted.type];

/** The people who had muted a person at a position. */
async function mutersOf(
  { log, index, deadline }: MarkSources,
  userId: number,
  position: number,
): Promise<readonly number[]> {
  const muters = new Set<number>();
  const indexed = { log, index: await index.open(), deadline };
  const selection = { aboutId: userId, types: muteTypes, through: position };
  for await (const event of foundEvents(indexed, selection)) {
    if (!isReadable(event)) continue;
    if (isEvent(event, PersonMuted) && event.data.mutedUserId === userId) muters.add(event.data.userId);
    if (isEvent(event, PersonUnmuted) && event.data.mutedUserId === userId) muters.delete(event.data.userId);
  }
  return [...muters].sort((one, other) => one - other);
}
