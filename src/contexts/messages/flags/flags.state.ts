import { streamsOf } from '../../../kernel/decision.js';
import type { SubscriptionPeriod } from '../../../access/records/subscription.js';
import type { Snapshot } from '../../../access/snapshot.js';
import type { Fold } from '../../../kernel/fold.js';
import type { RecordedEvent } from '../../../kernel/event.js';
import { unreachable } from '../../../kernel/json.js';
import type { User } from '../../../access/records/user.js';
import type { Placements, MessageVisibility } from '../placements.js';
import type { MessageDocument } from '../message-document.js';
import type { FlagEvent } from '../../../events/message-flags.js';
import { difference, hasId, rangesOf, union, type IdRanges } from './id-ranges.js';
import { isInRange } from '../../../kernel/ids.js';

/**
 * One person's flags, as sets of message ids. Their size depends on what the person marked, not on how many
 * messages they receive.
 */
export type PersonalFlags = {
  /** Read messages. The ranges also cover ids of messages that never reached the person, and so stay few. */
  readonly read: IdRanges;
  /** Marked as unread and not read since: overrides that a message counted as read when it arrived. */
  readonly unread: IdRanges;
  readonly starred: IdRanges;
  readonly collapsed: IdRanges;
  /** Messages that never reached the person and became their own because they starred them. */
  readonly adopted: IdRanges;
};

/** A person's flags as the read model keeps them. */
export type PersonalFlagsDocument = PersonalFlags & {
  /** The person's id. */
  readonly _id: number;
  /** Revision of the last event of the person's stream that is included. */
  readonly revision: number;
};

/** The flags of a person who never marked a message. */
export const noFlags: PersonalFlags = { read: [], unread: [], starred: [], collapsed: [], adopted: [] };

/** How many ranges of ids a person's flags have: what their size grows with. */
export function rangesIn({ read, unread, starred, collapsed, adopted }: PersonalFlags): number {
  return read.length + unread.length + starred.length + collapsed.length + adopted.length;
}

/** Name of the stream that holds a person's flags. */
export function flagsStream(userId: number): string {
  return `flags-${userId}`;
}

const FLAGS_PREFIX = flagsStream(0).slice(0, -1);

/** The person whose flags a stream holds; null: it holds something else. */
export function ownerOfFlags(stream: string): number | null {
  return stream.startsWith(FLAGS_PREFIX) ? Number(stream.slice(FLAGS_PREFIX.length)) : null;
}

/** Folds the events of a person's flags. */
export const flagsFold: Fold<PersonalFlags, RecordedEvent<FlagEvent>> = {
  snapshot: { name: 'flags', version: 1 },
  initial: noFlags,
  evolve: evolveFlags,
};

/** The stream of a person's flags, for decisions about them. */
export const flagsOf = streamsOf(flagsStream, flagsFold);

/**
 * Revision of the last event of a stream whose next event will have this revision; null: the stream is empty.
 */
export function lastRevision(nextRevision: number): number | null {
  return nextRevision === 0 ? null : nextRevision - 1;
}

/** Applies one event to a person's flags. */
export function evolveFlags(flags: PersonalFlags, event: FlagEvent): PersonalFlags {
  switch (event.type) {
    case 'MessagesMarkedRead':
      return {
        ...flags,
        read: union(flags.read, event.data.ranges),
        unread: difference(flags.unread, event.data.ranges),
      };
    case 'MessagesMarkedUnread':
      return {
        ...flags,
        read: difference(flags.read, event.data.ranges),
        unread: union(flags.unread, event.data.ranges),
      };
    case 'MessagesStarred':
      return {
        ...flags,
        starred: union(flags.starred, rangesOf(event.data.messageIds)),
        adopted: union(flags.adopted, rangesOf(event.data.adoptedIds)),
      };
    case 'MessagesUnstarred':
      return { ...flags, starred: difference(flags.starred, rangesOf(event.data.messageIds)) };
    case 'MessagesCollapsed':
      return { ...flags, collapsed: union(flags.collapsed, rangesOf(event.data.messageIds)) };
    case 'MessagesUncollapsed':
      return { ...flags, collapsed: difference(flags.collapsed, rangesOf(event.data.messageIds)) };
    default:
      return unreachable(event);
  }
}

/** The owner of flags, as of one snapshot. */
export interface FlagsOwner {
  readonly snapshot: Snapshot;
  readonly user: User;
  /** The placements of moved messages. */
  readonly placements: Placements;
  readonly flags: PersonalFlags;
}

/** The fields of a message that its flags depend on. */
export type FlaggedMessage = Pick<
  MessageDocument,
  | '_id'
  | 'channelId'
  | 'arrival'
  | 'givenToIds'
  | 'senderId'
  | 'readBySender'
  | 'readOnArrival'
  | 'mutedByIds'
>;

/**
 * Whether a message was given to a bot because it mentions it; it is only while it lies in the channel that
 * it was sent to.
 */
export function isGiven(
  { arrival, givenToIds }: Pick<MessageDocument, 'arrival' | 'givenToIds'>,
  userId: number,
): boolean {
  return arrival === 0 && givenToIds.includes(userId);
}

/** Whether a message that the person can see reached them, rather than being history for them. */
export function reached(owner: Omit<FlagsOwner, 'flags'>, message: FlaggedMessage): boolean {
  return visibilityOf(owner, message) !== 'none';
}

/** Whether the person only has a message because it was moved to where they are. */
export function wasGivenByMove(owner: Omit<FlagsOwner, 'flags'>, message: FlaggedMessage): boolean {
  return visibilityOf(owner, message) === 'given';
}

function visibilityOf(
  { snapshot: { directory }, user, placements }: Omit<FlagsOwner, 'flags'>,
  message: FlaggedMessage,
): MessageVisibility {
  const { _id: id, channelId, arrival } = message;
  if (isGiven(message, user.id)) return 'received';
  return channelId === null
    ? 'received'
    : placements.messageVisibility({ id, channelId, arrival }, { directory, user });
}

/** Whether a message is the person's own, so that it can have flags: it reached them, or they starred it. */
export function isPersonal(owner: FlagsOwner, message: FlaggedMessage): boolean {
  return reached(owner, message) || hasId(owner.flags.adopted, message._id);
}

/**
 * Whether a message can be unread for the person: it reached them, and if it lies in a channel, during their
 * present subscription. Messages of a channel that somebody left cannot be unread.
 */
export function canBeUnread(owner: Omit<FlagsOwner, 'flags'>, message: FlaggedMessage): boolean {
  const { channelId } = message;
  const { snapshot, user } = owner;
  if (channelId === null || isGiven(message, user.id)) return true;
  const period = snapshot.directory.subscription(channelId, user.id)?.periods.at(-1);
  return period?.through === null && cameWithin(owner, message, period);
}

/** Whether a message of a channel reached the person within one period of their subscription to it. */
function cameWithin(
  owner: Omit<FlagsOwner, 'flags'>,
  message: FlaggedMessage,
  period: SubscriptionPeriod,
): boolean {
  const { _id, arrival } = message;
  if (arrival === 0) return isInRange(_id, period);
  const { joinedAt, leftAt } = period;
  const arrivedAt = owner.placements.get(arrival)?.reception.revision ?? -1;
  return joinedAt <= arrivedAt && (leftAt === null || arrivedAt < leftAt) && reached(owner, message);
}

/** Whether a message counts as read. */
export function isRead(owner: FlagsOwner, message: FlaggedMessage): boolean {
  return !canBeUnread(owner, message) || wasRead(owner, message);
}

/** Whether a message of a channel was unread for the person until one period of their subscription to it ended. */
export function wasUnreadIn(owner: FlagsOwner, message: FlaggedMessage, period: SubscriptionPeriod): boolean {
  return cameWithin(owner, message, period) && !wasRead(owner, message);
}

/** Whether a message that can be unread has been read. */
function wasRead(owner: FlagsOwner, message: FlaggedMessage): boolean {
  const { flags, user } = owner;
  if (hasId(flags.read, message._id)) return true;
  if (hasId(flags.unread, message._id)) return false;
  if (message.senderId === user.id && message.readBySender) return true;
  if (isReadOnArrival(message, user.id)) return true;
  return visibilityOf(owner, message) === 'given';
}

/** Whether a message counted as read for a person when it arrived: the server sent it so, or they muted its sender. */
export function isReadOnArrival(
  { readOnArrival, mutedByIds }: Pick<FlaggedMessage, 'readOnArrival' | 'mutedByIds'>,
  userId: number,
): boolean {
  if (mutedByIds.includes(userId)) return true;
  return readOnArrival !== null && readOnArrival.everyone !== readOnArrival.except.includes(userId);
}
