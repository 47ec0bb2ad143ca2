import { isSubscribed } from '../../access/records/subscription.js';
import type { Directory } from '../../access/directory.js';
import { botTypes } from '../../access/people-permissions.js';
import type { Mentions, Recipient } from '../../events/messages.js';

/** Whether a text mentions a person by name, or by a group. */
export function isNamed({ userIds, groups }: Mentions, userId: number): boolean {
  return userIds.includes(userId) || groups.some((group) => group.userIds.includes(userId));
}

/**
 * Whether a mention of the whole topic includes a person: everyone, where the participants were not recorded.
 */
export function isMeantByTopic({ topicWildcard, topicParticipantIds }: Mentions, userId: number): boolean {
  return topicWildcard && topicParticipantIds?.includes(userId) !== false;
}

/** Whether a text mentions a person in any way. */
export function isMentioned(mentions: Mentions, userId: number): boolean {
  return mentions.channelWildcard || isNamed(mentions, userId) || isMeantByTopic(mentions, userId);
}

/**
 * The generic bots that a channel text mentions by name and that are not subscribed: they receive the message
 * too, in private channels as well.
 */
export function botsGiven(
  { userIds }: Mentions,
  recipient: Recipient,
  directory: Pick<Directory, 'user' | 'subscription'>,
): readonly number[] {
  if (recipient.type === 'direct') return [];
  return userIds.filter((id) => {
    const user = directory.user(id);
    if (user?.isActive !== true || user.bot?.type !== botTypes.generic || user.bot.isSystem) return false;
    return !isSubscribed(directory.subscription(recipient.channelId, id));
  });
}

/** In {@link mentionedIds}: everybody whom the message reaches. */
export const EVERYONE_MENTIONED = 0;

/** In {@link mentionedIds}: more people than are listed individually; `mentions` has them. */
export const MANY_MENTIONED = -1;

/** Members of a group or a topic with more people than this are not listed individually. */
const LISTED_TOGETHER = 250;

/**
 * Ids of the people whom a message mentions, as the index over it holds them, with {@link EVERYONE_MENTIONED}
 * and {@link MANY_MENTIONED}. Of a direct message only participants are listed.
 */
export function mentionedIds(
  mentions: Mentions,
  participantIds: readonly number[] | null,
): readonly number[] {
  const { userIds, groups, channelWildcard, topicWildcard, topicParticipantIds } = mentions;
  const together = [
    ...groups.map((group) => group.userIds),
    topicWildcard ? (topicParticipantIds ?? []) : [],
  ];
  const listed = together.filter(({ length }) => length <= LISTED_TOGETHER);
  const people = new Set([...userIds, ...listed.flat()]);
  const ids = [...people].filter((id) => participantIds?.includes(id) ?? true);
  if (channelWildcard || (topicWildcard && topicParticipantIds === undefined)) ids.push(EVERYONE_MENTIONED);
  if (listed.length < together.length) ids.push(MANY_MENTIONED);
  return ids.sort((a, b) => a - b);
}
