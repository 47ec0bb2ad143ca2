import { isSubscribed, type SubscriptionPeriod } from '../../../access/records/subscription.js';
import { failure } from '../../../kernel/errors.js';
import type { FlagEvent } from '../../../events/message-flags.js';
import {
  difference,
  firstAbove,
  hasId,
  lastBelow,
  rangesOf,
  union,
  type IdRange,
  type IdRanges,
} from './id-ranges.js';
import {
  canBeUnread,
  isPersonal,
  isRead,
  reached,
  wasUnreadIn,
  type FlaggedMessage,
  type FlagsOwner,
  type PersonalFlags,
} from './flags.state.js';

/** Flags that people can set themselves. */
const editableFlags = ['read', 'starred', 'collapsed'] as const;
type EditableFlag = (typeof editableFlags)[number];

const serverFlags: ReadonlySet<string> = new Set([
  'mentioned',
  'stream_wildcard_mentioned',
  'topic_wildcard_mentioned',
  'wildcard_mentioned',
  'has_alert_word',
  'historical',
]);

/** A change to a person's flags. */
export interface FlagChange {
  readonly op: 'add' | 'remove';
  readonly flag: EditableFlag;
}

/** @throws ApplicationError for a flag that does not exist, and for one that only the server sets */
export function parseFlag(flag: string): EditableFlag {
  const known = editableFlags.find((editable) => editable === flag);
  if (known !== undefined) return known;
  throw failure(serverFlags.has(flag) ? 'flagNotEditable' : 'invalidFlag', { reason: flag });
}

/**
 * The other unread messages around the ones to be read. Where there are none, a whole range of ids is marked
 * as read, which keeps the number of ranges small.
 */
export interface Surroundings {
  /** Revision of the person's stream when this was looked up; null: there was no stream. */
  readonly revision: number | null;
  /** All unread messages above this id are known. */
  readonly after: number;
  /** Ids of the unread messages above it, up to the next range that is read, in rising order. */
  readonly unreadIds: readonly number[];
}

/** What a decision about a person's flags depends on beside the flags. */
export interface MarkingFacts extends Omit<FlagsOwner, 'flags'> {
  /** The messages to change, all of which the person can see. */
  readonly messages: readonly FlaggedMessage[];
  /** Null where they were not looked up. */
  readonly surroundings: Surroundings | null;
  /** Revision of the person's stream on which this is decided; null: there is no stream. */
  readonly revision: number | null;
  /** The sender, if the messages are marked as read because the person muted this sender. */
  readonly mutedUserId?: number | null;
}

/**
 * Ids of the messages that a change affects. Marking as read or unread skips messages that cannot be unread.
 */
export function affectedIds(flags: PersonalFlags, { op, flag }: FlagChange, facts: MarkingFacts): number[] {
  const { messages, ...viewer } = facts;
  const owner = { ...viewer, flags };
  const isAffected = (message: FlaggedMessage): boolean => {
    switch (flag) {
      case 'read':
        return canBeUnread(owner, message) && isRead(owner, message) !== (op === 'add');
      case 'starred':
        return hasId(flags.starred, message._id) !== (op === 'add');
      case 'collapsed':
        return isPersonal(owner, message) && hasId(flags.collapsed, message._id) !== (op === 'add');
    }
  };
  return messages.filter(isAffected).map(({ _id }) => _id);
}

/** Whether the message is in a channel that the person is not subscribed to. */
export function hasLeft(
  { snapshot, user }: Pick<MarkingFacts, 'snapshot' | 'user'>,
  { channelId }: FlaggedMessage,
): boolean {
  return channelId !== null && !isSubscribed(snapshot.directory.subscription(channelId, user.id));
}

/** The events of a change of flags; empty where all flags are set so already. */
export function decideMarking(
  flags: PersonalFlags,
  change: FlagChange,
  facts: MarkingFacts,
): readonly FlagEvent[] {
  const messageIds = affectedIds(flags, change, facts);
  if (messageIds.length === 0) return [];
  const userId = facts.user.id;
  const isAdded = change.op === 'add';
  switch (change.flag) {
    case 'read':
      return isAdded
        ? [markedRead(messageIds, flags, facts)]
        : [{ type: 'MessagesMarkedUnread', data: { userId, ranges: [...rangesOf(messageIds)] } }];
    case 'starred':
      if (!isAdded) return [{ type: 'MessagesUnstarred', data: { userId, messageIds } }];
      return [{ type: 'MessagesStarred', data: { userId, messageIds, adoptedIds: adopted(flags, facts) } }];
    case 'collapsed':
      return [{ type: isAdded ? 'MessagesCollapsed' : 'MessagesUncollapsed', data: { userId, messageIds } }];
  }
}

function adopted(flags: PersonalFlags, { messages, ...owner }: MarkingFacts): number[] {
  return messages
    .filter((message) => !reached(owner, message) && !hasId(flags.adopted, message._id))
    .map(({ _id }) => _id);
}

/** Maximum number of ranges of changed messages in an event: a range is some 35 bytes. */
const MAX_CHANGED = 5000;

/** Extended ranges contain messages that were read before; clients are notified only of the others. */
function markedRead(messageIds: readonly number[], flags: PersonalFlags, facts: MarkingFacts): FlagEvent {
  const changed = rangesOf(messageIds);
  const ranges = extended(changed, flags.read, facts);
  const isExtended = difference(ranges, changed).length > 0;
  const { mutedUserId = null } = facts;
  return {
    type: 'MessagesMarkedRead',
    data: {
      userId: facts.user.id,
      ranges: [...ranges],
      ...(isExtended && changed.length <= MAX_CHANGED ? { changed: [...changed] } : {}),
      ...(mutedUserId !== null && { mutedUserId }),
    },
  };
}

/**
 * Extends each range down to the read range before it and up to the one after it, as far as no unread message
 * lies between. Surroundings that were looked up at another revision are ignored.
 */
function extended(
  ranges: IdRanges,
  read: IdRanges,
  { surroundings, revision }: Pick<MarkingFacts, 'surroundings' | 'revision'>,
): IdRanges {
  if (surroundings === null || surroundings.revision !== revision) return ranges;
  const { after, unreadIds } = surroundings;
  const obstacles = difference(rangesOf(unreadIds), ranges);
  const grown = ranges.map(({ from, through }): IdRange => {
    const blocked = Math.max(after, lastBelow(obstacles, from), lastBelow(read, from));
    const next = firstAbove(read, through);
    const obstacle = firstAbove(obstacles, through);
    const reachesUp = next !== null && through > after && (obstacle === null || obstacle > next);
    return { from: Math.min(blocked + 1, from), through: reachesUp ? next - 1 : through };
  });
  return union(grown, []);
}

/** Marks as read what was unread in a channel when the person's subscription to it ended. */
export function decideMarkLeftRead(
  flags: PersonalFlags,
  period: SubscriptionPeriod,
  facts: MarkingFacts,
): readonly FlagEvent[] {
  const { messages, ...owner } = facts;
  const unread = messages.filter((message) => wasUnreadIn({ ...owner, flags }, message, period));
  if (unread.length === 0) return [];
  return [
    markedRead(
      unread.map(({ _id }) => _id),
      flags,
      facts,
    ),
  ];
}

/** Marks everything up to a message as read. */
export function decideMarkAllRead(
  flags: PersonalFlags,
  { userId, lastMessageId }: { readonly userId: number; readonly lastMessageId: number },
): readonly FlagEvent[] {
  const everything: IdRanges = lastMessageId < 1 ? [] : [{ from: 1, through: lastMessageId }];
  if (difference(everything, flags.read).length === 0) return [];
  return [{ type: 'MessagesMarkedRead', data: { userId, ranges: [...everything], everything: true } }];
}
