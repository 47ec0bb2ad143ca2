import type { Mentions } from './events.js';

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
