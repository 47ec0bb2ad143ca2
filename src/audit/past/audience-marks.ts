import {
  evolveFlags,
  noFlags,
  type FlaggedMessage,
  type PersonalFlags,
} from '../../contexts/messages/flags/flags.state.js';
import { PersonMuted, PersonUnmuted } from '../../events/attention.js';
import { flagEvents } from '../../events/message-flags.js';
import { isEvent } from '../../kernel/event.js';
import { foundEventsOf } from '../log-index/found-events.js';
import { sendingOf } from '../sent-message.js';
import type { StoredMessage } from './conversation/conversation.js';
import type { PastSources } from './past-sources.js';

type MarkSources = Pick<PastSources, 'log' | 'index' | 'deadline'>;

/** Returns everybody's flags of one message at a position, by user id. @throws the error of the deadline */
export async function marksOf(
  sources: MarkSources,
  messageId: number,
  position: number,
): Promise<ReadonlyMap<number, PersonalFlags>> {
  const marks = new Map<number, PersonalFlags>();
  for await (const event of foundEventsOf(sources, flagEvents, { messageId, through: position })) {
    const { userId } = event.data;
    marks.set(userId, evolveFlags(marks.get(userId) ?? noFlags, event));
  }
  return marks;
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
