import { isSubscribed } from '../../access/records/subscription.js';
import type { Directory } from '../../access/directory.js';
import { botTypes } from '../../access/people-permissions.js';
import type { Mentions, Recipient } from '../../events/messages.js';

/** Whether a text means a person by name, or by the name of a group. */
export function isNamed({ userIds, groups }: Mentions, userId: number): boolean {
  return userIds.includes(userId) || groups.some((group) => group.userIds.includes(userId));
}

/** Whether a mention of the whole topic means a person: everyone, where nobody noted who took part. */
export function isMeantByTopic({ topicWildcard, topicParticipantIds }: Mentions, userId: number): boolean {
  return topicWildcard && topicParticipantIds?.includes(userId) !== false;
}

/** Whether a text means a person in any way. */
export function isMentioned(mentions: Mentions, userId: number): boolean {
  return mentions.channelWildcard || isNamed(mentions, userId) || isMeantByTopic(mentions, userId);
}

/**
 * The generic bots that a text in a channel mentions by their names and that are not subscribed: they hear of what is said to them,
 * in private channels too.
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

/** Among the {@link mentionedIds} of a message: everybody whom it reaches. */
export const everyoneMentioned = 0;

/** Among the {@link mentionedIds} of a message: more people than are listed each; `mentions` says whom. */
export const manyMentioned = -1;

/** A group or a topic with more people than this is not listed person by person. */
const listedTogether = 250;

/**
 * Whom a message means, as an index over it holds them: people by their ids, with {@link everyoneMentioned} and
 * {@link manyMentioned}. Of a direct message, nobody who does not take part.
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
  const listed = together.filter(({ length }) => length <= listedTogether);
  const people = new Set([...userIds, ...listed.flat()]);
  const ids = [...people].filter((id) => participantIds?.includes(id) ?? true);
  if (channelWildcard || (topicWildcard && topicParticipantIds === undefined)) ids.push(everyoneMentioned);
  if (listed.length < together.length) ids.push(manyMentioned);
  return ids.sort((a, b) => a - b);
}
