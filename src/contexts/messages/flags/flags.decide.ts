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

/** Flags that people set themselves (facts, section 4). */
const editableFlags = ['read', 'starred', 'collapsed'] as const;
export type EditableFlag = (typeof editableFlags)[number];

const serverFlags: ReadonlySet<string> = new Set([
  'mentioned',
  'stream_wildcard_mentioned',
  'topic_wildcard_mentioned',
  'wildcard_mentioned',
  'has_alert_word',
  'historical',
]);

/** What a person may do to the flags of messages. */
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
 * Which other messages around the ones to be read are unread: where there are none, whole stretches are read, so that
 * stretches stay few.
 */
export interface Surroundings {
  /** Of the person's stream, when this was looked up; null: there was no stream. */
  readonly revision: number | null;
  /** It is known what lies above this id. */
  readonly after: number;
  /** Unread messages above it, up to the next stretch that is read, rising. */
  readonly unreadIds: readonly number[];
}

/** What a decision about a person's flags depends on beside the flags. */
export interface MarkingFacts extends Omit<FlagsOwner, 'flags'> {
  /** Messages that the person can see. */
  readonly messages: readonly FlaggedMessage[];
  /** Null where not looked up. */
  readonly surroundings: Surroundings | null;
  /** Of the person's stream, when this is decided. */
  readonly revision: number | null;
}

/**
 * The messages on which a change has an effect. Reading and unreading leave alone what cannot be unread.
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

/** What a change makes of a person's flags: nothing where they are so already. */
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
    case 'read': {
      const ranges = rangesOf(messageIds);
      return isAdded
        ? [
            {
              type: 'MessagesMarkedRead',
              data: { userId, ranges: [...stretched(ranges, flags.read, facts)] },
            },
          ]
        : [{ type: 'MessagesMarkedUnread', data: { userId, ranges: [...ranges] } }];
    }
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

/**
 * Grows each stretch down to what was read before it, and up to what was read behind it, as far as nothing unread lies
 * between. What was seen of a state that is not this one is not relied on.
 */
function stretched(
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

/** What was unread in a channel when the person's subscription to it ended is read: whoever leaves is done with it. */
export function decideReadingLeft(
  flags: PersonalFlags,
  period: SubscriptionPeriod,
  facts: MarkingFacts,
): readonly FlagEvent[] {
  const { messages, ...owner } = facts;
  const unread = messages.filter((message) => wasUnreadIn({ ...owner, flags }, message, period));
  if (unread.length === 0) return [];
  const ranges = stretched(rangesOf(unread.map(({ _id }) => _id)), flags.read, facts);
  return [{ type: 'MessagesMarkedRead', data: { userId: facts.user.id, ranges: [...ranges] } }];
}

/** Everything up to a message is read. */
export function decideReadingAll(
  flags: PersonalFlags,
  { userId, lastMessageId }: { readonly userId: number; readonly lastMessageId: number },
): readonly FlagEvent[] {
  const everything: IdRanges = lastMessageId < 1 ? [] : [{ from: 1, through: lastMessageId }];
  if (difference(everything, flags.read).length === 0) return [];
  return [{ type: 'MessagesMarkedRead', data: { userId, ranges: [...everything], everything: true } }];
}
