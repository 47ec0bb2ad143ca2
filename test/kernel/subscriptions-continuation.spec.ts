import { describe, expect, it } from '@jest/globals';
import { completionsOf, type ContinuedEvent } from '../../src/contexts/channels/completions.decide.js';
import { channelSubscriptionsFold, isSubscriber } from '../../src/contexts/channels/subscriptions.state.js';
import type { SubscriptionEvent } from '../../src/events/subscriptions.js';
import { decideDefaultSubscription } from '../../src/contexts/channels/subscribing.decide.js';
import { created, given, record, subscribed, unsubscribed, type World } from './channels-world.js';
import { foldEvents } from '../support/fold-events.js';

const context = { causeId: 'cause', lastMessageId: 41 };

function complete(cause: ContinuedEvent, world: World): readonly SubscriptionEvent[] {
  return completionsOf(cause).flatMap(({ channelId, decide }) =>
    decide(world.subscriptionsOf(channelId), context),
  );
}

const joining = {
  type: 'UsersSubscribed',
  data: {
    ...(subscribed(1, [3]) as Extract<SubscriptionEvent, { type: 'UsersSubscribed' }>).data,
    continuation: [{ channelId: 2, userIds: [3, 4], color: '#000000' }],
  },
} as const satisfies ContinuedEvent;

describe('the changes of a request in further channels', () => {
  it('are made in each channel, for people for whom they are not made yet', () => {
    const world = given([created(1), created(2, { subscriberIds: [4] })]);
    expect(complete(joining, world)).toEqual([
      {
        type: 'UsersSubscribed',
        data: {
          channelId: 2,
          userIds: [3],
          afterMessageId: 41,
          color: '#000000',
          notify: false,
          continuation: [],
        },
      },
    ]);
  });

  it('are none if everybody is subscribed already', () => {
    expect(complete(joining, given([created(1), created(2, { subscriberIds: [3, 4] })]))).toEqual([]);
  });

  it('follow the creation of a channel as well', () => {
    const creation = created(3, { continuation: [{ channelId: 2, userIds: [3], color: null }] });
    const world = given([created(1), created(2)]);
    expect(complete(creation, world)).toMatchObject([{ data: { channelId: 2, userIds: [3] } }]);
  });

  it('remove people who are still subscribed', () => {
    const leaving = {
      type: 'UsersUnsubscribed',
      data: {
        channelId: 1,
        userIds: [3],
        throughMessageId: 0,
        continuation: [{ channelId: 2, userIds: [3, 4] }],
      },
    } as const satisfies ContinuedEvent;
    expect(complete(leaving, given([created(1), created(2, { subscriberIds: [4] })]))).toMatchObject([
      { type: 'UsersUnsubscribed', data: { channelId: 2, userIds: [4], throughMessageId: 41 } },
    ]);
  });

  it('set the properties of each channel in one append, for people who are still subscribed', () => {
    const setting = {
      type: 'SubscriptionPropertyChanged',
      data: {
        channelId: 1,
        userId: 3,
        property: 'is_muted',
        value: true,
        continuation: [
          { channelId: 2, property: 'is_muted', value: true },
          { channelId: 3, property: 'is_muted', value: true },
          { channelId: 2, property: 'color', value: '#000000' },
        ],
      },
    } as const satisfies ContinuedEvent;
    const world = given([
      created(1, { subscriberIds: [3] }),
      created(2, { subscriberIds: [3] }),
      created(3, { subscriberIds: [4] }),
    ]);
    expect(completionsOf(setting).map(({ channelId }) => channelId)).toEqual([2, 3]);
    expect(complete(setting, world)).toMatchObject([
      { data: { channelId: 2, userId: 3, property: 'is_muted', continuation: [] } },
      { data: { channelId: 2, userId: 3, property: 'color', continuation: [] } },
    ]);
  });

  it('are not made twice, even for somebody who has left again since', () => {
    const world = given([created(1), created(2)]);
    const [completion] = completionsOf(joining);
    const first = record([...completion!.decide(world.subscriptionsOf(2), context)], {
      causationId: 'cause',
    });
    const since = [...first, ...record([unsubscribed(2, [3])])];
    const state = foldEvents(channelSubscriptionsFold(world.channels.creations.get(2)!), since);
    expect(isSubscriber(state, 3)).toBe(false);
    expect(completion!.decide(state, context)).toEqual([]);
    expect(completion!.decide(state, { ...context, causeId: 'another' })).toHaveLength(1);
  });
});

describe('the subscriptions of a channel', () => {
  it('begin with its creation, and other events of its stream change nothing', () => {
    const world = given([created(1, { subscriberIds: [3] })]);
    const moved = { ...record([subscribed(1, [4])])[0]!, type: 'MessagesMoved' };
    const fold = channelSubscriptionsFold(world.channels.creations.get(1)!);
    const state = fold.evolve(fold.initial, moved);
    expect([isSubscriber(state, 3), isSubscriber(state, 4)]).toEqual([true, false]);
  });
});

describe('the subscription of new people to a default channel', () => {
  const world = given([created(1, { subscriberIds: [3] })]);
  const joining = { channelId: 1, userId: 4, afterMessageId: 41, causeId: 'registration' };

  it('begins after the last message, without a notification', () => {
    expect(decideDefaultSubscription(world.subscriptionsOf(1), joining)).toMatchObject([
      { type: 'UsersSubscribed', data: { userIds: [4], afterMessageId: 41, notify: false } },
    ]);
  });

  it('is not made for somebody who is subscribed already', () => {
    expect(decideDefaultSubscription(world.subscriptionsOf(1), { ...joining, userId: 3 })).toEqual([]);
  });

  it('is not made again for somebody who has left since', () => {
    const [subscription] = decideDefaultSubscription(world.subscriptionsOf(1), joining);
    const since = [
      ...record([subscription!], { causationId: 'registration' }),
      ...record([unsubscribed(1, [4])]),
    ];
    const state = foldEvents(channelSubscriptionsFold(world.channels.creations.get(1)!), since);
    expect(decideDefaultSubscription(state, joining)).toEqual([]);
  });
});
