import { describe, expect, it, jest } from '@jest/globals';
import { ChannelCreated } from '../../src/events/channels.js';
import type { ClientEvent } from '../../src/realtime/client-event.js';
import { capabilitiesOf } from '../../src/realtime/queues/client-capabilities.js';
import { everyMessage } from '../../src/realtime/queues/narrow-filter.js';
import { requestedOptionsOf } from '../../src/realtime/queues/queue-options-of.js';
import type { AddressedEvent, Mapper } from '../../src/realtime/mapper.js';
import {
  addressedPeerEvent,
  subscribedEvents,
  subscriptionMappers,
} from '../../src/contexts/channels/client-events/subscriptions.js';
import { userMappers } from '../../src/contexts/users/client-events/users.js';
import type { UserModels } from '../../src/contexts/users/client-models.js';
import type { DomainEvent, RecordedEvent } from '../../src/kernel/event.js';
import { createChannel } from '../support/channels.js';
import { metadataOf } from '../support/given.js';
import { TestOrganization } from '../support/organization.js';
import { standIn } from '../support/stand-in.js';

const people = Array.from({ length: 250 }, (_, index) => index + 1);
const organization = new TestOrganization();
for (const _id of people) organization.register();
organization.log.append('channels', [
  { type: 'ChannelCreated', data: { ...ChannelCreated.example, channelId: 1, subscriberIds: people } },
]);
const snapshot = organization.snapshot();
const channel = snapshot.directory.channel(1)!;
const options = {
  ...requestedOptionsOf({}, undefined),
  allPublicChannels: false,
  narrow: everyMessage,
  capabilities: capabilitiesOf({ notification_settings_null: true }),
};

function toldTo(userId: number, { event }: AddressedEvent): readonly ClientEvent[] {
  const receiver = { user: organization.user(userId), queueId: 'here:1', options };
  const told = typeof event === 'function' ? event(receiver) : event;
  return told === null ? [] : [told].flat();
}

describe('many who leave a channel at once', () => {
  const clientEvent = addressedPeerEvent('peer_remove', { channel, userIds: people }, snapshot);

  it('each get an event about all the others', () => {
    for (const userId of [1, 100, 101, 250]) {
      const named = toldTo(userId, clientEvent).flatMap((event) => event['user_ids'] as number[]);
      expect(named).toEqual(people.filter((id) => id !== userId));
    }
  });

  it('share their events, except for the part in which a person would be named themselves', () => {
    const distinct = new Set(people.flatMap((id) => toldTo(id, clientEvent)));
    expect(distinct.size).toBe(people.length + 3);
    expect(Math.max(...[...distinct].map((event) => (event['user_ids'] as number[]).length))).toBe(100);
  });
});

describe('many who join a channel at once', () => {
  it('share the event that names all of them, where their settings are the same', () => {
    const [joined] = subscribedEvents(channel, people, { snapshot, activities: new Map() });
    const events = people.flatMap((id) => toldTo(id, joined!));
    expect(events).toHaveLength(people.length);
    const colors = new Set(events.map((event) => (event['subscriptions'] as { color: string }[])[0]!.color));
    expect(new Set(events).size).toBe(colors.size);
    expect(colors.size).toBeLessThan(30);
  });
});

describe('the client events of one person', () => {
  const ada = people[0]!;
  const channels = [1, ...[2, 3, 4].map(() => createChannel(organization, [ada, 2]))];
  const { directory } = organization.snapshot();
  const models = standIn<UserModels>({ activities: () => Promise.resolve(new Map()) });

  it.each([
    ['UserDeactivated', { userId: ada }, channels],
    ['UserReactivated', { userId: ada }, channels],
    ['UsersSubscribed', { channelId: 2, userIds: [5], colors: [] }, [2]],
    ['UsersUnsubscribed', { channelId: 2, userIds: [ada] }, [2]],
  ] as const)('of %s ask nobody without a client what they may know of', async (type, data, of) => {
    const facts = { id: type, stream: '', revision: 0, position: 0, erased: false, metadata: metadataOf(2) };
    const event: RecordedEvent<DomainEvent> = { type, data, ...facts };
    const mappers = { ...userMappers, ...subscriptionMappers };
    const line = standIn<Mapper<RecordedEvent, UserModels>>(mappers[type]);
    const everybody = jest.spyOn(directory, 'users');
    const now = { directory, now: 0 };
    const before = line.before?.(event, now);
    const read = await line.read?.(event, models, now);
    const events = line.clientEvents(event, { snapshot: now, before, read, appended: [event] });
    expect(everybody).not.toHaveBeenCalled();
    everybody.mockRestore();
    const peers = events.filter(({ to }) => typeof to === 'function' && to(directory.user(3)!));
    const named = peers.flatMap((one) => toldTo(3, one)).flatMap((one) => one['stream_ids'] ?? []);
    expect(named).toEqual(of);
  });
});
