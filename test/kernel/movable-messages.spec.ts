import { describe, expect, it } from '@jest/globals';
import { receivedRanges, type Subscription } from '../../src/access/records/subscription.js';
import { visibleRanges } from '../../src/contexts/messages/moves/movable-messages.js';
import type { NarrowContext } from '../../src/contexts/messages/narrow/compiled-narrow.js';
import { Placements } from '../../src/contexts/messages/placements.js';
import type { SubscriptionEvent } from '../../src/events/subscriptions.js';
import { createChannel } from '../support/channels.js';
import { TestOrganization } from '../support/organization.js';
import { standIn } from '../support/stand-in.js';

const organization = new TestOrganization();
const ada = organization.register();
const privacy = { inviteOnly: true, historyPublicToSubscribers: false, isWebPublic: false };
const channelId = createChannel(organization, [], { privacy });
const other = createChannel(organization, [ada], { privacy });

/** Periods of a subscription as message ids; null: it lasts. */
function subscribed(...periods: readonly (readonly [after: number, through: number | null])[]): void {
  const data = { channelId, userIds: [ada], continuation: [] };
  for (const [afterMessageId, throughMessageId] of periods) {
    const joining: SubscriptionEvent = {
      type: 'UsersSubscribed',
      data: { ...data, afterMessageId, color: null, notify: false },
    };
    const leaving: readonly SubscriptionEvent[] =
      throughMessageId === null ? [] : [{ type: 'UsersUnsubscribed', data: { ...data, throughMessageId } }];
    organization.log.append(`channel-${channelId}`, [joining, ...leaving]);
  }
}

subscribed([10, 10], [10, 20], [20, 20], [20, 30], [40, 50], [60, null]);

describe('The messages that a subscription brought', () => {
  it('are ranges without those that are empty, and are one range where nothing lies between', () => {
    const subscription = organization.snapshot().directory.subscription(channelId, ada);
    expect(receivedRanges(subscription)).toEqual([
      { after: 10, through: 30 },
      { after: 40, through: 50 },
      { after: 60, through: null },
    ]);
    expect(receivedRanges(null)).toEqual([]);
    const lasting = standIn<Subscription>({ periods: [{ after: 5, through: null }] });
    expect(receivedRanges(lasting)).toEqual([{ after: 5, through: null }]);
  });
});

describe('What a move says that the mover can see', () => {
  const placements = new Placements();
  const reception = { kind: 'given to subscribers', revision: 10 } as const;
  const placement = { previous: 0, previousChannelId: other, channelId, reception };
  placements.add([
    { _id: 1, ...placement },
    { _id: 2, ...placement },
  ]);
  const snapshot = organization.snapshot();
  const context = standIn<NarrowContext>({ snapshot, user: organization.user(ada), placements });

  /** A message that was sent to the channel, or came there by a placement. */
  const message = (_id: number, arrival = 0): { _id: number; channelId: number; arrival: number } => ({
    _id,
    channelId,
    arrival,
  });
  const sentFromNowOn = { after: 60, through: null, arrivals: null };

  it('of one message is the range that it lies in, and what comes to its topic meanwhile', () => {
    const alone = (place: ReturnType<typeof message>): unknown =>
      visibleRanges(context, place, { mode: 'change_one', first: place, last: place });
    expect(alone(message(45))).toEqual([{ after: 40, through: 50, arrivals: null }, sentFromNowOn]);
    expect(alone(message(35, 2))).toEqual([sentFromNowOn, { after: 0, through: null, arrivals: [2] }]);
  });

  it('of one message is also where the first and the last of its topic stay', () => {
    const ends = { mode: 'change_one', first: message(15), last: message(48, 1) } as const;
    expect(visibleRanges(context, message(46, 2), ends)).toEqual([
      { after: 10, through: 30, arrivals: null },
      sentFromNowOn,
      { after: 0, through: null, arrivals: [1, 2] },
    ]);
  });

  it('of a topic includes the ranges in which its messages are, and from which older ones may arrive', () => {
    const ends = { mode: 'change_all', first: message(42), last: message(49) } as const;
    expect(visibleRanges(context, message(45), ends)).toEqual([
      { after: 10, through: 30, arrivals: null },
      { after: 40, through: 50, arrivals: null },
      { after: 60, through: null, arrivals: null },
      { after: 0, through: null, arrivals: [1, 2] },
    ]);
  });

  it('of a topic includes the ranges from which newer messages may arrive', () => {
    const only = message(25);
    expect(visibleRanges(context, only, { mode: 'change_all', first: only, last: only })).toEqual([
      { after: 10, through: 30, arrivals: null },
      { after: 40, through: 50, arrivals: null },
      sentFromNowOn,
      { after: 0, through: null, arrivals: [1, 2] },
    ]);
  });

  it('of later messages is also where earlier ones stay, or may come to stay', () => {
    const ends = { mode: 'change_later', first: message(42), last: message(49) } as const;
    expect(visibleRanges(context, message(45), ends)).toEqual([
      { after: 10, through: 30, arrivals: null },
      { after: 40, through: 50, arrivals: null },
      sentFromNowOn,
      { after: 0, through: null, arrivals: [1, 2] },
    ]);
  });

  it('of a topic with one message is also what comes there meanwhile', () => {
    const only = message(45);
    expect(visibleRanges(context, only, { mode: 'change_all', first: only, last: only })).toEqual([
      { after: 10, through: 30, arrivals: null },
      { after: 40, through: 50, arrivals: null },
      sentFromNowOn,
      { after: 0, through: null, arrivals: [1, 2] },
    ]);
  });
});
