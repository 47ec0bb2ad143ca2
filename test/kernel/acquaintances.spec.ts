import { describe, expect, it } from '@jest/globals';
import { hidesPeople, isShownEveryone, mayKnow } from '../../src/access/acquaintances.js';
import { DirectConversations } from '../../src/access/direct-conversations.js';
import { createChannel } from '../support/channels.js';
import { TestOrganization } from '../support/organization.js';

const members = 3;
const [memberRole, guestRole, moderatorRole] = [400, 600, 300] as const;

/** An organization in which guests see only some of the people. */
function hiding(): TestOrganization {
  return new TestOrganization({}, { can_access_all_users_group: members });
}

/** Those of some people that a person may see. */
function knownOf(
  organization: TestOrganization,
  acquainted: { readonly viewerId: number; readonly conversations?: DirectConversations },
  ids: readonly number[],
): number[] {
  const { viewerId, conversations = DirectConversations.none } = acquainted;
  const viewer = organization.user(viewerId);
  return ids.filter((id) =>
    mayKnow(organization.snapshot(), { viewer, conversations }, organization.user(id)),
  );
}

describe('who may know whom', () => {
  it('is everyone everybody, unless the organization says members', () => {
    const organization = new TestOrganization();
    const [guest, member] = [organization.register({ role: guestRole }), organization.register()];
    expect(hidesPeople(organization.snapshot())).toBe(false);
    expect(knownOf(organization, { viewerId: guest }, [guest, member])).toEqual([guest, member]);
  });

  it.each([
    ['a member', memberRole, true],
    ['a moderator', moderatorRole, true],
    ['a guest', guestRole, false],
  ] as const)('is a question for %s', (_who, role, isEveryone) => {
    const organization = hiding();
    const viewer = organization.user(organization.register({ role }));
    expect(isShownEveryone(organization.snapshot(), viewer)).toBe(isEveryone);
  });

  it('is no question for the server itself', () => {
    const organization = hiding();
    const bot = { type: 1, ownerId: null, isSystem: true };
    const viewer = organization.user(organization.register({ bot, role: guestRole }));
    expect(isShownEveryone(organization.snapshot(), viewer)).toBe(true);
  });

  it('are a guest and those in a channel with them, bots, and themselves', () => {
    const organization = hiding();
    const guest = organization.register({ role: guestRole });
    const [colleague, stranger] = [organization.register(), organization.register()];
    const bot = organization.register({ bot: { type: 1, ownerId: stranger, isSystem: false } });
    createChannel(organization, [guest, colleague]);
    createChannel(organization, [colleague, stranger, bot]);
    const all = [guest, colleague, stranger, bot];
    expect(knownOf(organization, { viewerId: guest }, all)).toEqual([guest, colleague, bot]);
    expect(knownOf(organization, { viewerId: colleague }, all)).toEqual(all);
  });

  it('ends with the subscription of either, and while the account is not active', () => {
    const organization = hiding();
    const guest = organization.register({ role: guestRole });
    const [gone, left] = [organization.register(), organization.register()];
    const channelId = createChannel(organization, [guest, gone, left]);
    organization.happened({ type: 'UserDeactivated', data: { userId: gone } });
    expect(knownOf(organization, { viewerId: guest }, [gone, left])).toEqual([left]);
    organization.log.append(`channel-${channelId}`, [
      {
        type: 'UsersUnsubscribed',
        data: { channelId, userIds: [left], throughMessageId: 0, continuation: [] },
      },
    ]);
    expect(knownOf(organization, { viewerId: guest }, [gone, left])).toEqual([]);
  });

  it('are those who ever talked directly, in groups as well, as of when they did', () => {
    const organization = hiding();
    const guest = organization.register({ role: guestRole });
    const [first, second, third] = [
      organization.register(),
      organization.register(),
      organization.register(),
    ];
    const conversations = DirectConversations.of(
      [guest],
      [
        { participantIds: [guest, first], beganAt: 40 },
        { participantIds: [guest, first, second], beganAt: 30 },
      ],
    );
    const known = (position: number): number[] =>
      knownOf(organization, { viewerId: guest, conversations: conversations.asOf(position) }, [
        first,
        second,
        third,
      ]);
    expect(known(29)).toEqual([]);
    expect(known(30)).toEqual([first, second]);
    expect(knownOf(organization, { viewerId: guest, conversations }, [first, second, third])).toEqual([
      first,
      second,
    ]);
  });
});

describe('direct conversations', () => {
  const asked = DirectConversations.of([1], [{ participantIds: [1, 2], beganAt: 5 }]);

  it('are found for both members, whichever of them was asked for', () => {
    expect([asked.had(1, 2), asked.had(2, 1), asked.had(1, 3)]).toEqual([true, true, false]);
  });

  it('say of whom they know nothing', () => {
    expect([asked.includes(2, 1), asked.includes(2, 3)]).toEqual([true, false]);
  });
});
