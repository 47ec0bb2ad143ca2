import type { Attention } from '../../attention/attention.js';
import { visibilityPolicies, type VisibilityPolicy } from '../../attention/events.js';
import { isSubscribed } from '../../channels/subscription.js';
import { failure } from '../../kernel/errors.js';
import type { Filter } from '../../read-store/port.js';
import { difference, idsIn, type IdRanges } from '../flags/id-ranges.js';
import { isRead, type PersonalFlags } from '../flags/personal-flags.js';
import type { FoundMessage, NarrowContext } from './compiled-narrow.js';
import { largestMessageId } from './sources.js';
import type { Operand, Term } from './terms.js';

/** No message has this id. */
export const nothing: Filter = { _id: 0 };

/** Whether a term is about what is the person's own, and so leaves out history that never reached them (facts, section 2). */
export function isAboutPersonal({ operator, operand }: Term): boolean {
  return operator === 'is' && operand !== 'resolved';
}

/** What the operator `is` asks of a message. Null: no index tells; see {@link unreadTests}. */
export function isCondition(operand: Operand, context: NarrowContext): Filter | null {
  switch (operand) {
    case 'dm':
    case 'private':
      return { channelId: null };
    case 'resolved':
      return { isResolved: true };
    case 'unread':
      return null;
    case 'starred':
      return { _id: { $in: idsIn(context.flags.starred) } };
    case 'mentioned':
      return mentionedCondition(context.user.id);
    case 'alerted':
      return { alertedIds: context.user.id };
    case 'followed':
      return topicsWith([visibilityPolicies.followed], context.attention) ?? nothing;
    case 'muted':
      return mutedCondition(context) ?? nothing;
    default:
      throw failure('badNarrow', { desc: `unknown 'is' operand ${String(operand)}` });
  }
}

/**
 * What the operator `in` asks of a message; null: nothing. A narrow that names a channel looks into it though it is muted, but
 * not into its muted topics.
 */
export function inCondition(operand: Operand, context: NarrowContext, namesChannel: boolean): Filter | null {
  switch (operand) {
    case 'home':
      return homeCondition(context, namesChannel);
    case 'all':
      return null;
    default:
      throw failure('badNarrow', { desc: `unknown 'in' operand ${String(operand)}` });
  }
}

function mentionedCondition(userId: number): Filter {
  return {
    $or: [
      { 'mentions.userIds': userId },
      { 'mentions.groups.userIds': userId },
      { 'mentions.channelWildcard': true },
      { 'mentions.topicParticipantIds': userId },
      { 'mentions.topicWildcard': true, 'mentions.topicParticipantIds': { $exists: false } },
    ],
  };
}

function homeCondition(context: NarrowContext, namesChannel: boolean): Filter | null {
  const muted = namesChannel
    ? topicsWith([visibilityPolicies.muted], context.attention)
    : mutedCondition(context);
  return muted && { $nor: [muted] };
}

/** Topics that the person muted, and muted channels but for the topics in them that they unmuted or follow; null: nothing. */
function mutedCondition({ moment, user, attention }: NarrowContext): Filter | null {
  const channelIds: number[] = [];
  for (const subscription of moment.directory.subscriptionsOfUser(user.id)) {
    if (subscription.isMuted && isSubscribed(subscription)) channelIds.push(subscription.channelId);
  }
  const heard = topicsWith([visibilityPolicies.unmuted, visibilityPolicies.followed], attention);
  const channels: Filter = { channelId: { $in: channelIds } };
  const mutedChannels = heard === null ? channels : { $and: [channels, { $nor: [heard] }] };
  const mutedTopics = topicsWith([visibilityPolicies.muted], attention);
  if (channelIds.length === 0) return mutedTopics;
  return mutedTopics === null ? mutedChannels : { $or: [mutedChannels, mutedTopics] };
}

/** The topics for which the person chose one of these policies; null: none. Channels are named once each. */
function topicsWith(policies: readonly VisibilityPolicy[], { topics }: Attention): Filter | null {
  const keysByChannel = new Map<number, string[]>();
  for (const { channelId, topicKey, policy } of topics) {
    if (!policies.includes(policy)) continue;
    const keys = keysByChannel.get(channelId);
    if (keys === undefined) keysByChannel.set(channelId, [topicKey]);
    else keys.push(topicKey);
  }
  if (keysByChannel.size === 0) return null;
  const branches = [...keysByChannel].map(([channelId, keys]) => ({ channelId, topicKey: { $in: keys } }));
  return { $or: branches };
}

/** What the terms about being unread ask of a message. */
export function unreadTests(
  terms: readonly Term[],
  context: NarrowContext,
): readonly ((message: FoundMessage) => boolean)[] {
  return terms.filter(isUnreadTerm).map(
    ({ negated }) =>
      (message) =>
        isRead(context, message) === negated,
  );
}

/** Where the messages lie that the terms about being unread let through; null: anywhere. */
export function unreadStretches(terms: readonly Term[], { flags }: NarrowContext): IdRanges | null {
  return terms.some((term) => isUnreadTerm(term) && !term.negated) ? notRead(flags) : null;
}

function notRead({ read }: PersonalFlags): IdRanges {
  return difference([{ from: 1, through: largestMessageId - 1 }], read);
}

function isUnreadTerm({ operator, operand }: Term): boolean {
  return operator === 'is' && operand === 'unread';
}
