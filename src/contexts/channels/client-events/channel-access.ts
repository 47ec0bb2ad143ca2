import type { Channel } from '../../../access/records/channel.js';
import { channelFields } from '../channels.view.js';
import { noActivity, type ChannelActivity } from '../statistics.js';
import { hasMetadataAccess } from '../../../access/channel-permissions.js';
import type { Snapshot } from '../../../access/snapshot.js';
import { shownPermissions } from '../../../access/permission-value.js';
import { renderDescription } from '../../../markdown/render.js';
import type { User } from '../../../access/records/user.js';
import type { ClientEvent } from '../../../realtime/client-event.js';
import type { QueueOptions } from '../../../realtime/queues/queue-options.js';
import type { AddressedEvent } from '../../../realtime/mapper.js';
import { defaultChannelsChanged } from './bot-defaults.js';

export type Activities = ReadonlyMap<number, ChannelActivity>;

/** A channel as clients get it. */
export function channelObject(
  { directory }: Snapshot,
  channel: Channel,
  activities: Activities,
): Record<string, unknown> {
  return channelFields(channel, {
    activity: activities.get(channel.id) ?? noActivity,
    subscriberCount: directory.subscriberCount(channel.id),
    permissions: shownPermissions(directory, channel.permissions),
    renderedDescription: renderDescription(channel.description),
  });
}

/**
 * A channel for clients that did not know of it. Its number of subscribers is 0, because clients add to it the
 * subscribers that the following client events name.
 */
export function newChannelObject(
  snapshot: Snapshot,
  channel: Channel,
  activities: Activities,
): Record<string, unknown> {
  return { ...channelObject(snapshot, channel, activities), subscriber_count: 0 };
}

/**
 * Ids of the people who may know of a channel.
 *
 * @param among only these are looked at; absent: everybody
 */
export function metadataReaders(
  snapshot: Snapshot,
  channelId: number,
  among: Iterable<User> = snapshot.directory.users(),
): ReadonlySet<number> {
  const channel = snapshot.directory.channel(channelId);
  const readers = new Set<number>();
  if (channel === null) return readers;
  for (const user of among) {
    if (user.isActive && hasMetadataAccess(snapshot, user, channel)) readers.add(user.id);
  }
  return readers;
}

/** Ids of the channels that each of these people may know of. */
export function channelsKnownTo(
  snapshot: Snapshot,
  users: readonly User[],
): ReadonlyMap<number, ReadonlySet<number>> {
  return new Map(
    users.map((user) => {
      const known = [...snapshot.directory.channels()].filter((one) =>
        hasMetadataAccess(snapshot, user, one),
      );
      return [user.id, new Set(known.map(({ id }) => id))];
    }),
  );
}

/** The snapshot and the activities that channel objects are made from. */
export interface ChannelView {
  readonly snapshot: Snapshot;
  readonly activities: Activities;
}

/**
 * Client events for people who may know of the channel now and could not before, and for those who no longer
 * may.
 */
export function accessEvents(
  channel: Channel,
  { before, after }: { readonly before: ReadonlySet<number>; readonly after: ReadonlySet<number> },
  sighted: ChannelView,
): readonly AddressedEvent[] {
  const gained = [...after].filter((id) => !before.has(id));
  const lost = [...before].filter((id) => !after.has(id));
  return [...gainedEvents([channel], gained, sighted), ...lostEvents([channel], lost, sighted.snapshot)];
}

/** Client events for people who may know of these channels from now on, with the subscribers. */
export function gainedEvents(
  channels: readonly Channel[],
  userIds: readonly number[],
  { snapshot, activities }: ChannelView,
): readonly AddressedEvent[] {
  if (channels.length === 0 || userIds.length === 0) return [];
  const created = (some: readonly Channel[]) =>
    creationEvent(some.map((channel) => newChannelObject(snapshot, channel, activities)));
  return [
    { to: userIds, event: asAllKnown(channels, created) },
    ...subscriberEvents(channels, userIds, snapshot),
    ...botDefaultEvents(channels, userIds, snapshot),
  ];
}

/** Client events for people who may no longer know of these channels. */
export function lostEvents(
  channels: readonly Channel[],
  userIds: readonly number[],
  snapshot: Snapshot,
): readonly AddressedEvent[] {
  if (channels.length === 0 || userIds.length === 0) return [];
  return [
    { to: userIds, event: asAllKnown(channels, (some) => goneEvent(some.map(({ id }) => id))) },
    ...botDefaultEvents(channels, userIds, snapshot),
  ];
}

/** Bots show the names of their default channels to those of their managers who may know of these. */
function botDefaultEvents(
  channels: readonly Channel[],
  userIds: readonly number[],
  snapshot: Snapshot,
): readonly AddressedEvent[] {
  const concerned = new Set(userIds);
  const channelIds = channels.map(({ id }) => id);
  return defaultChannelsChanged(channelIds, snapshot, ({ id }) => concerned.has(id));
}

/**
 * The subscribers of the channels. New subscribers get these in another event. Channels with the same
 * subscribers share one event.
 */
function subscriberEvents(
  channels: readonly Channel[],
  userIds: readonly number[],
  { directory }: Snapshot,
): readonly AddressedEvent[] {
  const alike = new Map<
    string,
    { readonly channels: Channel[]; readonly subscriberIds: readonly number[] }
  >();
  for (const channel of channels) {
    const subscriberIds = directory.subscriberIds(channel.id);
    const key = subscriberIds.join();
    const known = alike.get(key);
    if (known === undefined) alike.set(key, { channels: [channel], subscriberIds });
    else known.channels.push(channel);
  }
  return [...alike.values()].flatMap(({ channels: subscribedAlike, subscriberIds }) => {
    const subscribed = new Set(subscriberIds);
    const to = userIds.filter((id) => !subscribed.has(id));
    if (subscribed.size === 0 || to.length === 0) return [];
    const added = (some: readonly Channel[]) =>
      peerEvent(
        'peer_add',
        some.map(({ id }) => id),
        subscriberIds,
      );
    return [{ to, event: asAllKnown(subscribedAlike, added) }];
  });
}

/**
 * Clients without support for archived channels get no event of one: for them it was deleted when it was
 * archived.
 */
export function asKnown({ isArchived }: Channel, event: AddressedEvent['event']): AddressedEvent['event'] {
  return isArchived ? forClients(({ capabilities }) => capabilities.archived_channels, event) : event;
}

/** Like {@link asKnown} for several channels: such clients get the event for those that are not archived. */
function asAllKnown(
  channels: readonly Channel[],
  eventOf: (channels: readonly Channel[]) => ClientEvent,
): AddressedEvent['event'] {
  const ofAll = eventOf(channels);
  const others = channels.filter(({ isArchived }) => !isArchived);
  if (others.length === channels.length) return ofAll;
  const ofOthers = others.length === 0 ? null : eventOf(others);
  return ({ options }) => (options.capabilities.archived_channels ? ofAll : ofOthers);
}

/** Restricts an event to clients that pass a test. */
export function forClients(
  test: (options: QueueOptions) => boolean,
  event: AddressedEvent['event'],
): AddressedEvent['event'] {
  return (receiver) => {
    if (!test(receiver.options)) return null;
    return typeof event === 'function' ? event(receiver) : event;
  };
}

/** The client event about people who subscribed to or unsubscribed from channels. */
export function peerEvent(
  op: 'peer_add' | 'peer_remove',
  channelIds: readonly number[],
  userIds: readonly number[],
): ClientEvent {
  return { type: 'subscription', op, stream_ids: channelIds, user_ids: userIds };
}

/** The client event about channels that somebody may know of from now on. */
export function creationEvent(streams: readonly Record<string, unknown>[]): ClientEvent {
  return { type: 'stream', op: 'create', streams };
}

/** The client event about channels that somebody may no longer know of. */
export function goneEvent(channelIds: readonly number[]): ClientEvent {
  return {
    type: 'stream',
    op: 'delete',
    stream_ids: channelIds,
    streams: channelIds.map((id) => ({ stream_id: id })),
  };
}
