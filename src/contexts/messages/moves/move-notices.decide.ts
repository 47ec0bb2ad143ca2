import type { Directory } from '../../../access/directory.js';
import { visibilityPolicies, type VisibilityPolicy } from '../../../events/attention.js';
import type { MoveEvent } from '../../../events/message-moves.js';
import type { ReadOnArrival } from '../../../events/messages.js';
import type { RecordedEvent } from '../../../kernel/event.js';
import { silentMention } from '../../channels/notice-texts.js';
import type { Notice } from '../../channels/notices.js';
import type { MoveDocument } from './move-documents.js';
import { messageAddress, topicLink, type Thread } from '../sending/place-links.js';

/** A move with its outcome, for the notices about it. */
interface CompletedMove {
  readonly event: RecordedEvent<MoveEvent>;
  readonly move: MoveDocument;
  readonly directory: Directory;
  /** Who has the notice about a resolved or unresolved topic as read when it arrives. */
  readonly markReadOnArrival: ReadOnArrival;
}

/**
 * The messages that the notification bot sends because of a move: one where the messages are now, and one
 * where they were. A topic that was resolved or unresolved gets one notice, in the topic.
 */
export function noticesOfMove(completed: CompletedMove): readonly Notice[] {
  const { event, move } = completed;
  if (isSilentMark(move)) return [];
  switch (event.type) {
    case 'TopicResolved':
      return [markNotice(completed, 'resolved')];
    case 'TopicUnresolved':
      return [markNotice(completed, 'unresolved')];
    case 'MessagesMoved': {
      const { oldThread, newThread } = event.data.notify;
      return [
        ...(newThread ? [newThreadNotice(completed)] : []),
        ...(oldThread ? [oldThreadNotice(completed)] : []),
      ];
    }
  }
}

/**
 * Whether a topic was resolved or unresolved together with an edit of a text. Such a mark is not announced, and
 * takes back no earlier notice.
 */
export function isSilentMark({ kind, editId }: MoveDocument): boolean {
  return kind !== 'move' && editId !== null;
}

function markNotice({ event, move, directory, markReadOnArrival }: CompletedMove, state: string): Notice {
  return {
    to: newThreadOf(move),
    content: `${silentMention(directory, move.userId)} has marked this topic as ${state}.`,
    causationId: event.id,
    readOnArrival: markReadOnArrival,
  };
}

function newThreadNotice(completed: CompletedMove): Notice {
  const { event, move, directory } = completed;
  const from = `from ${topicLink(oldThreadOf(move), directory)} by ${silentMention(directory, move.userId)}`;
  const isWholeTopic = move.isWhole && move.targetWasEmpty;
  const content = isWholeTopic
    ? `This topic was moved here ${from}.`
    : `${movedMessages(completed)} moved here ${from}.`;
  return { to: newThreadOf(move), content, causationId: event.id, readOnArrival: readBy(move) };
}

function oldThreadNotice(completed: CompletedMove): Notice {
  const { event, move, directory } = completed;
  const to = `to ${topicLink(newThreadOf(move), directory)} by ${silentMention(directory, move.userId)}`;
  const content = move.isWhole
    ? `This topic was moved ${to}.`
    : `${movedMessages(completed)} moved from this topic ${to}.`;
  return { to: oldThreadOf(move), content, causationId: event.id, readOnArrival: readBy(move) };
}

function oldThreadOf({ channelId, topic }: MoveDocument): Thread {
  return { channelId, topic };
}

function newThreadOf({ newChannelId, newTopic }: MoveDocument): Thread {
  return { channelId: newChannelId, topic: newTopic };
}

/** The person who made the move has the notice as read. */
function readBy({ userId }: MoveDocument): ReadOnArrival {
  return { everyone: false, except: userId === null ? [] : [userId] };
}

function movedMessages({ move, directory }: CompletedMove): string {
  const { count, firstMessageId } = move.moved;
  if (count > 1) return `${count} messages were`;
  const moved = { _id: firstMessageId, ...newThreadOf(move), participantIds: null };
  return `[A message](${messageAddress(moved, directory)}) was`;
}

/**
 * Who has the notice about a resolved topic as read when it arrives: the person who resolved it, and people
 * by their setting `resolved_topic_notice_auto_read_policy`, which may depend on whether they follow the
 * topic.
 */
export function markReadOnArrival(
  { newChannelId, userId }: Pick<MoveDocument, 'newChannelId' | 'userId'>,
  directory: Directory,
  policies: ReadonlyMap<number, VisibilityPolicy>,
): ReadOnArrival {
  const except = directory
    .subscriberIds(newChannelId)
    .filter((id) => id !== userId && wantsToReadIt(id, directory, policies));
  return { everyone: true, except };
}

function wantsToReadIt(
  userId: number,
  { settings }: Directory,
  policies: ReadonlyMap<number, VisibilityPolicy>,
): boolean {
  switch (settings.value(userId, 'resolved_topic_notice_auto_read_policy')) {
    case 'always':
      return false;
    case 'never':
      return true;
    case 'except_followed':
      return policies.get(userId) === visibilityPolicies.followed;
  }
}
