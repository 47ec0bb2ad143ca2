import type { Channel } from '../../../access/records/channel.js';
import { subscriptionFields } from '../channels.view.js';
import type { SubscriptionEvent } from '../../../events/subscriptions.js';
import { hasMetadataAccess } from '../../../access/channel-permissions.js';
import { isSubscribed } from '../../../access/records/subscription.js';
import type { Snapshot } from '../../../access/snapshot.js';
import { alike } from '../../../realtime/client-event.js';
import { saysNothing } from '../../../realtime/queues/client-capabilities.js';
import { mapper, type AddressedEvent, type Receiver, type Mappers } from '../../../realtime/mapper.js';
import {
  accessEvents,
  asKnown,
  channelObject,
  metadataReaders,
  peerEvent,
  type ChannelView,
} from './channel-access.js';
import type { ChannelModels } from '../client-models.js';

interface OfChannel {
  readonly data: { readonly channelId: number; readonly userIds: readonly number[] };
}

interface Before {
  /** Those of the event's people who may know of the channel: for others nothing changes. */
  readonly readers: ReadonlySet<number>;
  /** Those of the event's people who were subscribed before. */
  readonly subscribers: ReadonlySet<number>;
}

function before({ data: { channelId, userIds } }: OfChannel, snapshot: Snapshot): Before {
  const subscribed = userIds.filter((id) => isSubscribed(snapshot.directory.subscription(channelId, id)));
  return { readers: readersAmong(userIds, channelId, snapshot), subscribers: new Set(subscribed) };
}

/** Ids of those of some people who may know of a channel. */
function readersAmong(
  userIds: readonly number[],
  channelId: number,
  snapshot: Snapshot,
): ReadonlySet<number> {
  const users = userIds.flatMap((id) => snapshot.directory.user(id) ?? []);
  return metadataReaders(snapshot, channelId, users);
}

/** Client events for subscriptions that begin, end or change their properties. */
export const subscriptionMappers: Mappers<SubscriptionEvent, ChannelModels> = {
  UsersSubscribed: mapper({
    before: (event, snapshot) => before(event, snapshot),
    read: ({ data: { channelId } }, models) => models.activities([channelId]),
    clientEvents: (
      { data: { channelId, userIds } },
      { snapshot, before: { readers: knowers, subscribers }, read },
    ) => {
      const channel = snapshot.directory.channel(channelId);
      if (channel === null) return [];
      const joined = userIds.filter((id) => !subscribers.has(id));
      const access = { before: knowers, after: readersAmong(userIds, channelId, snapshot) };
      return [
        ...accessEvents(channel, access, { snapshot, activities: read }),
        ...subscribedEvents(channel, joined, { snapshot, activities: read }),
      ];
    },
  }),
  UsersUnsubscribed: mapper({
    before: (event, snapshot) => before(event, snapshot),
    clientEvents: (
      { data: { channelId, userIds } },
      { snapshot, before: { readers: knowers, subscribers } },
    ) => {
      const channel = snapshot.directory.channel(channelId);
      const left = userIds.filter((id) => subscribers.has(id));
      if (channel === null || left.length === 0) return [];
      const after = readersAmong(userIds, channelId, snapshot);
      const subscriptions = [{ name: channel.name, stream_id: channelId }];
      return [
        { to: left, event: asKnown(channel, { type: 'subscription', op: 'remove', subscriptions }) },
        addressedPeerEvent('peer_remove', { channel, userIds: left }, snapshot),
        ...accessEvents(channel, { before: knowers, after }, { snapshot, activities: new Map() }),
      ];
    },
  }),
  SubscriptionPropertyChanged: {
    clientEvents: ({ data: { channelId, userId, property, value } }, { snapshot }) => {
      const channel = snapshot.directory.channel(channelId);
      if (channel === null) return [];
      const changes =
        property === 'is_muted'
          ? [
              { property: 'in_home_view', value: value !== true },
              { property, value },
            ]
          : [{ property, value }];
      return changes.map((change) => ({
        to: [userId],
        event: asKnown(channel, { type: 'subscription', op: 'update', stream_id: channelId, ...change }),
      }));
    },
  },
};

/** Client events for the new subscribers of a channel, and for everyone who may know of it. */
export function subscribedEvents(
  channel: Channel,
  userIds: readonly number[],
  { snapshot, activities }: ChannelView,
): readonly AddressedEvent[] {
  if (userIds.length === 0) return [];
  const subscribers = snapshot.directory.subscriberIds(channel.id);
  const fields = channelObject(snapshot, channel, activities);
  const eventOf = alike((own: object) => ({
    type: 'subscription',
    op: 'add',
    subscriptions: [{ ...fields, ...own, subscribers }],
  }));
  return [
    {
      to: userIds,
      event: asKnown(channel, ({ user, options }) => {
        const subscription = snapshot.directory.subscription(channel.id, user.id);
        if (subscription === null) return null;
        return eventOf(fieldsForClient(subscriptionFields(subscription), { user, options }, snapshot));
      }),
    },
    addressedPeerEvent('peer_add', { channel, userIds }, snapshot),
  ];
}

/**
 * Number of people in one group: each gets one event about every other group, shared with all who get it, and for their
 * own group an event that names its other members.
 */
const PEERS_TOGETHER = 100;

/**
 * The client event for everyone who may know of the channel. People who unsubscribed together also get it, about each
 * other; new subscribers do not, because their own event lists all subscribers.
 */
export function addressedPeerEvent(
  op: 'peer_add' | 'peer_remove',
  { channel, userIds }: { readonly channel: Channel; readonly userIds: readonly number[] },
  snapshot: Snapshot,
): AddressedEvent {
  const peers = new Set(userIds);
  const isReceiver = (id: number) => !peers.has(id) || (op === 'peer_remove' && peers.size > 1);
  const sorted = [...userIds].sort((a, b) => a - b);
  const eventOf = (ids: readonly number[]) => peerEvent(op, [channel.id], ids);
  const ofAll = eventOf(sorted);
  const groups = chunksOf(sorted, PEERS_TOGETHER).map((ids) => ({ ids, event: eventOf(ids) }));
  const ofOthers = (id: number) =>
    groups.flatMap(({ ids, event }) => {
      if (id < (ids[0] ?? 0) || id > (ids.at(-1) ?? 0)) return [event];
      return ids.length === 1 ? [] : [eventOf(ids.filter((peer) => peer !== id))];
    });
  return {
    // Only those who have a client are asked about, and the event loop runs in between.
    to: (user) => isReceiver(user.id) && hasMetadataAccess(snapshot, user, channel),
    event: asKnown(channel, ({ user: { id } }) => (peers.has(id) ? ofOthers(id) : ofAll)),
  };
}

function chunksOf(ids: readonly number[], size: number): readonly (readonly number[])[] {
  const starts = Array.from({ length: Math.ceil(ids.length / size) }, (_, index) => index * size);
  return starts.map((start) => ids.slice(start, start + size));
}

/** The person's setting that applies for each of a channel's settings that is null. */
const inherited = {
  desktop_notifications: 'enable_stream_desktop_notifications',
  audible_notifications: 'enable_stream_audible_notifications',
  push_notifications: 'enable_stream_push_notifications',
  email_notifications: 'enable_stream_email_notifications',
  wildcard_mentions_notify: 'wildcard_mentions_notify',
} as const;

/**
 * A subscription as a client understands it. Clients without support for null in its settings get the person's own setting instead. Those
 * without any capability fail if there is no address for mail; they could show it, but it is only for people who may send to the channel.
 */
export function fieldsForClient(
  fields: Record<string, unknown>,
  { options, user }: Pick<Receiver, 'options' | 'user'>,
  { directory }: Snapshot,
): Record<string, unknown> {
  const { capabilities } = options;
  if (capabilities.notification_settings_null) return fields;
  const said = Object.entries(inherited).map(([name, setting]) => [
    name,
    fields[name] ?? directory.settings.value(user.id, setting),
  ]);
  const older = saysNothing(capabilities) ? { email_address: '' } : {};
  return { ...fields, ...(Object.fromEntries(said) as object), ...older };
}
