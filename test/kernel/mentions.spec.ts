import { describe, expect, it } from '@jest/globals';
import { isMeantByTopic, isMentioned } from '../../src/contexts/messages/mentions.js';

const nobody = { userIds: [], groups: [], channelWildcard: false, topicWildcard: false };

describe('a mention of a whole topic', () => {
  it('means those who took part in it', () => {
    const mentions = { ...nobody, topicWildcard: true, topicParticipantIds: [3] };
    expect([3, 4].map((id) => isMeantByTopic(mentions, id))).toEqual([true, false]);
    expect([3, 4].map((id) => isMentioned(mentions, id))).toEqual([true, false]);
  });

  it('means everyone where it is not known who took part', () => {
    expect(isMeantByTopic({ ...nobody, topicWildcard: true }, 4)).toBe(true);
    expect(isMeantByTopic(nobody, 4)).toBe(false);
  });
});
