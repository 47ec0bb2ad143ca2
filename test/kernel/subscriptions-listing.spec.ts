import { describe, expect, it } from '@jest/globals';
import type { Decisions } from '../../src/http/decisions.js';
import { ChannelListing, Descriptions } from '../../src/contexts/channels/channel-listing.js';
import {
  type ChannelActivity,
  ChannelStatistics,
  noActivity,
} from '../../src/contexts/channels/statistics.js';
import type { ChannelStateModels } from '../../src/contexts/channels/client-models.js';
import { channelState } from '../../src/contexts/channels/initial-state.js';
import {
  ALWAYS_LISTED_BELOW,
  GetSubscriptions,
  GetSubscriptionsHandler,
  type SubscriberListing,
} from '../../src/contexts/channels/queries/subscriptions.js';
import type { RawJson } from '../../src/kernel/json.js';
import type { StateRequest } from '../../src/realtime/initial-state.js';
import { createChannel } from '../support/channels.js';
import { TestOrganization } from '../support/organization.js';
import { standIn } from '../support/stand-in.js';

/** Counts the reads of the messages model. */
class CountingStatistics extends ChannelStatistics {
  questions = 0;

  override forChannels(channelIds: readonly number[]): Promise<ReadonlyMap<number, ChannelActivity>> {
    this.questions += 1;
    return Promise.resolve(
      new Map(channelIds.map((id) => [id, { ...noActivity, firstMessageId: id * 100 }])),
    );
  }

  override hasOnlyEmptyTopic(): Promise<boolean> {
    return Promise.resolve(false);
  }
}

const organization = new TestOrganization();
const robot = { type: 1, ownerId: null, isSystem: false } as const;
const people = Array.from({ length: ALWAYS_LISTED_BELOW }, (_one, index) =>
  organization.register({ bot: index === 3 ? robot : null }),
);
const [reader] = people as [number];
const large = createChannel(organization, people);
const small = createChannel(organization, people.slice(0, ALWAYS_LISTED_BELOW - 1));
createChannel(organization, people.slice(1));
const snapshot = organization.snapshot();
const statistics = new CountingStatistics();

async function list(
  include: SubscriberListing,
  activeIds: readonly number[] = [],
): Promise<ReadonlyMap<unknown, Record<string, unknown>>> {
  const decisions = standIn<Decisions>({ actor: () => ({ snapshot, user: organization.user(reader) }) });
  const handler = new GetSubscriptionsHandler(decisions, new ChannelListing(statistics, new Descriptions()));
  const caller = { userId: reader, client: 'tests', requestId: 'test' };
  const subscriptions = await handler.execute(new GetSubscriptions(caller, include, activeIds));
  return new Map(subscriptions.map((subscription) => [subscription['stream_id'], subscription]));
}

it('Clients that register get the lists in part, too, when they ask for a part', async () => {
  const request = standIn<StateRequest<ChannelStateModels>>({
    user: organization.user(reader),
    snapshot,
    options: standIn<StateRequest['options']>({
      includeSubscribers: 'partial',
      capabilities: standIn<StateRequest['options']['capabilities']>({ archived_channels: false }),
    }),
    models: {
      listing: new ChannelListing(statistics, new Descriptions()),
      activePeople: { ids: () => Promise.resolve(new Set([people[5]!])) },
    },
  });
  const state = await channelState['subscription']!(request);
  const { text } = state['subscriptions'] as RawJson;
  const subscriptions = JSON.parse(text) as Record<string, unknown>[];
  expect(subscriptions.map(({ stream_id }) => stream_id)).toEqual([large, small]);
  expect(subscriptions[0]).toMatchObject({ partial_subscribers: [reader, people[3], people[5]] });
  expect(subscriptions[0]).not.toHaveProperty('subscribers');
  expect(subscriptions[1]).toMatchObject({ subscribers: people.slice(0, -1) });
});

describe('the channels that a person is subscribed to', () => {
  it('are those alone, with what their messages say of them', async () => {
    const subscriptions = await list('false');
    expect([...subscriptions.keys()]).toEqual([large, small]);
    expect(subscriptions.get(small)).toMatchObject({
      first_message_id: small * 100,
      subscriber_count: ALWAYS_LISTED_BELOW - 1,
    });
    expect(subscriptions.get(large)).not.toHaveProperty('subscribers');
  });

  it('list their subscribers in part from 250 on, when asked for a part', async () => {
    const bot = people[3]!;
    const subscriptions = await list('partial', [people[5]!, 99_999]);
    expect(subscriptions.get(small)).toMatchObject({ subscribers: people.slice(0, -1) });
    expect(subscriptions.get(large)).toMatchObject({ partial_subscribers: [reader, bot, people[5]] });
    expect(subscriptions.get(large)).not.toHaveProperty('subscribers');
  });

  it('list all of their subscribers when asked for all', async () => {
    expect((await list('true')).get(large)).toMatchObject({ subscribers: people });
  });

  it('ask the messages once, however many they are', async () => {
    const before = statistics.questions;
    await list('true');
    expect(statistics.questions - before).toBe(1);
  });
});
