import { describe, expect, it } from '@jest/globals';
import { Placements, type Placement } from '../../src/contexts/messages/placements.js';
import type { SubscriptionEvent } from '../../src/events/subscriptions.js';
import { createChannel } from '../support/channels.js';
import { TestOrganization } from '../support/organization.js';

const organization = new TestOrganization();
const ada = organization.register();
const bo = organization.register();
const first = createChannel(organization, [ada, bo]);
const second = createChannel(organization, [ada]);

/** A message that was moved to and fro between two channels. */
function movedToAndFro(times: number): readonly Placement[] {
  return Array.from({ length: times }, (_, index): Placement => {
    const [previousChannelId, channelId] = index % 2 === 0 ? [first, second] : [second, first];
    const reception = { kind: 'kept by subscribers', revision: -1 } as const;
    return { _id: index + 1, previous: index, previousChannelId, channelId, reception };
  });
}

describe('A message that was moved very often', () => {
  const times = 20_000;
  const placements = new Placements();
  placements.add(movedToAndFro(times));
  const message = { id: 1, channelId: first, arrival: times };

  it('is seen by those who have it still', () => {
    const { directory } = organization.snapshot();
    const visibility = (userId: number): string =>
      placements.messageVisibility(message, { directory, user: organization.user(userId) });
    expect([visibility(ada), visibility(bo)]).toEqual(['received', 'none']);
  });

  it('costs a look at each of its placements once, however many of them are asked for', () => {
    const { directory } = organization.snapshot();
    let looks = 0;
    const counted = Object.assign(Object.create(directory) as typeof directory, {
      subscription: (...given: Parameters<typeof directory.subscription>) => {
        looks += 1;
        return directory.subscription(...given);
      },
    });
    const receiver = { directory: counted, user: organization.user(ada) };
    const inFirst = placements.to(first);
    expect(inFirst).toHaveLength(times / 2);
    const visibilities = inFirst.map((arrival) => placements.placementVisibility(arrival, receiver));
    expect(new Set(visibilities.map((visibility) => JSON.stringify(visibility)))).toEqual(
      new Set([JSON.stringify({ sentIn: first })]),
    );
    expect(looks).toBe(times);
  });
});

it('What somebody has of moved messages follows the directory', () => {
  const placements = new Placements();
  const reception = { kind: 'given to subscribers', revision: 0 } as const;
  const moved = { _id: 1, previous: 0, previousChannelId: first, channelId: second, reception };
  placements.add([moved]);
  const { directory } = organization.snapshot();
  const receiver = { directory, user: organization.user(bo) };
  expect(placements.placementVisibility(moved, receiver)).toBe('none');
  const joining: SubscriptionEvent = {
    type: 'UsersSubscribed',
    data: {
      channelId: second,
      userIds: [bo],
      afterMessageId: 0,
      color: null,
      notify: false,
      continuation: [],
    },
  };
  for (const event of organization.log.append(`channel-${second}`, [joining])) directory.apply(event);
  expect(placements.placementVisibility(moved, receiver)).toBe('all');
});
