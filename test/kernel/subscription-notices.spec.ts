import { describe, expect, it } from '@jest/globals';
import { ChannelCreated } from '../../src/events/channels.js';
import type { ClientEvent } from '../../src/realtime/client-event.js';
import { capabilitiesOf } from '../../src/realtime/queues/client-capabilities.js';
import { everyMessage } from '../../src/realtime/queues/narrow-filter.js';
import { requestedOptionsOf } from '../../src/realtime/queues/queue-options-of.js';
import type { AddressedEvent } from '../../src/realtime/mapper.js';
import {
  addressedPeerEvent,
  subscribedEvents,
} from '../../src/contexts/channels/client-events/subscriptions.js';
import { TestOrganization } from '../support/organization.js';

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
  const clientEvent = addressedPeerEvent('peer_remove', { channel, userIds: people }, new Set(people));

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
