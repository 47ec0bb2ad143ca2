import { describe, expect, it } from '@jest/globals';
import {
  decideUnsubscribing,
  type UnsubscribingDecision,
} from '../../src/contexts/channels/unsubscribing.decide.js';
import { systemGroupIds } from '../../src/events/values/organization-defaults.js';
import type { User } from '../../src/access/records/user.js';
import {
  ada,
  bo,
  created,
  gil,
  given,
  iago,
  iagosBot,
  owner,
  privatePrivacy,
  subscribed,
  type World,
} from './channels-world.js';

function unsubscribe(
  world: World,
  caller: User,
  { names, userIds = [caller.id] }: { readonly names: readonly string[]; readonly userIds?: number[] },
): UnsubscribingDecision {
  const { snapshot, isSubscriber } = world;
  const context = { snapshot, user: caller, isSubscriber, lastMessageId: 41 };
  return decideUnsubscribing(world.channels, { channelNames: names, userIds }, context);
}

const everybody = [created(1, { creatorId: owner.id }), subscribed(1, [1, 2, 3, 4, 5, 7])];

describe('leaving channels', () => {
  it('is decided by the first channel, which carries the others', () => {
    const world = given([created(1, { subscriberIds: [3] }), created(2, { subscriberIds: [3] }), created(3)]);
    const decision = unsubscribe(world, iago, { names: ['channel 1', 'channel 2', 'channel 3'] });
    expect(decision).toEqual({
      events: [
        {
          type: 'UsersUnsubscribed',
          data: {
            channelId: 1,
            userIds: [3],
            throughMessageId: 41,
            continuation: [{ channelId: 2, userIds: [3] }],
          },
        },
      ],
      outcome: { removed: ['channel 1', 'channel 2'], notRemoved: ['channel 3'] },
    });
  });

  it('changes nothing for who is not subscribed', () => {
    const decision = unsubscribe(given([created(1)]), iago, { names: ['channel 1'] });
    expect(decision).toEqual({ events: [], outcome: { removed: [], notRemoved: ['channel 1'] } });
  });

  it('is open to guests', () => {
    expect(unsubscribe(given(everybody), gil, { names: ['Channel 1'] }).events).toHaveLength(1);
  });

  it('answers alike for a channel that does not exist and one that the caller may not know of', () => {
    const world = given([created(1, { privacy: privatePrivacy, name: 'hidden' })]);
    const messageFor = (name: string): string => {
      try {
        unsubscribe(world, bo, { names: [name] });
        return 'allowed';
      } catch (error) {
        return (error as Error).message.replace(name, '…');
      }
    };
    expect(messageFor('hidden')).toBe(messageFor('missing'));
    expect(messageFor('hidden')).not.toBe('allowed');
  });
});

describe('removing others from a channel', () => {
  it.each([
    ['an administrator of the organization', ada],
    ['the administrator of the channel', owner],
  ])('is allowed to %s', (_who, caller) => {
    const decision = unsubscribe(given(everybody), caller, { names: ['channel 1'], userIds: [bo.id] });
    expect(decision.events).toMatchObject([{ data: { userIds: [bo.id] } }]);
  });

  it('is allowed to the owner of a bot', () => {
    const request = { names: ['channel 1'], userIds: [iago.id, iagosBot.id] };
    expect(unsubscribe(given(everybody), iago, request).events).toMatchObject([
      { data: { userIds: [3, 7] } },
    ]);
  });

  it('is refused to others', () => {
    const refused = expect.objectContaining({ row: 'insufficientPermission' });
    for (const caller of [iago, gil]) {
      expect(() => unsubscribe(given(everybody), caller, { names: ['channel 1'], userIds: [bo.id] })).toThrow(
        refused,
      );
    }
    expect(() => unsubscribe(given(everybody), bo, { names: ['channel 1'], userIds: [7] })).toThrow(refused);
  });

  it('is allowed to whom the channel lets remove subscribers', () => {
    const permissions = { can_remove_subscribers_group: systemGroupIds.members };
    const world = given([created(1, { creatorId: owner.id, permissions }), subscribed(1, [4])]);
    expect(unsubscribe(world, iago, { names: ['channel 1'], userIds: [4] }).events).toHaveLength(1);
  });

  it('is refused as a whole when one of the channels does not allow it', () => {
    const permissions = { can_remove_subscribers_group: systemGroupIds.members };
    const world = given([
      created(1, { creatorId: owner.id, permissions, subscriberIds: [4] }),
      created(2, { creatorId: owner.id, subscriberIds: [4] }),
    ]);
    expect(() => unsubscribe(world, iago, { names: ['channel 1', 'channel 2'], userIds: [4] })).toThrow(
      expect.objectContaining({ row: 'insufficientPermission' }),
    );
  });
});
