import type { Channel } from '../../channels/channel.js';
import { channelFields } from '../../channels/channel-fields.js';
import { noActivity, type ChannelActivity } from '../../channels/statistics.js';
import { hasMetadataAccess } from '../../directory/channel-permissions.js';
import type { Moment } from '../../directory/moment.js';
import { shownPermissions } from '../../directory/shown-permission.js';
import { renderMarkdown } from '../../messages/markdown/render.js';
import type { User } from '../../users/user.js';
import type { ClientEvent } from '../client-event.js';
import type { Notice } from '../translation.js';

export type Activities = ReadonlyMap<number, ChannelActivity>;

/** A channel as clients are told of it. */
export function channelObject(
  { directory }: Moment,
  channel: Channel,
  activities: Activities,
): Record<string, unknown> {
  return channelFields(channel, {
    activity: activities.get(channel.id) ?? noActivity,
    subscriberCount: directory.subscriberCount(channel.id),
    permissions: shownPermissions(directory, channel.permissions),
    renderedDescription: channel.description === '' ? '' : renderMarkdown(channel.description, {}).html,
  });
}

/** Ids of the people who may know of a channel. */
export function knowersOf(moment: Moment, channelId: number): ReadonlySet<number> {
  const channel = moment.directory.channel(channelId);
  const knowers = new Set<number>();
  if (channel === null) return knowers;
  for (const user of moment.directory.users()) {
    if (user.isActive && hasMetadataAccess(moment, user, channel)) knowers.add(user.id);
  }
  return knowers;
}

/** Ids of the channels that each of some people may know of. */
export function channelsKnownTo(
  moment: Moment,
  users: readonly User[],
): ReadonlyMap<number, ReadonlySet<number>> {
  return new Map(
    users.map((user) => {
      const known = [...moment.directory.channels()].filter((one) => hasMetadataAccess(moment, user, one));
      return [user.id, new Set(known.map(({ id }) => id))];
    }),
  );
}

/** As of when channels are told of, and how busy they are. */
export interface Sighted {
  readonly moment: Moment;
  readonly activities: Activities;
}

/** Tells those who may know of a channel now and could not before, and those who no longer may. */
export function accessNotices(
  channel: Channel,
  { before, after }: { readonly before: ReadonlySet<number>; readonly after: ReadonlySet<number> },
  sighted: Sighted,
): readonly Notice[] {
  const gained = [...after].filter((id) => !before.has(id));
  const lost = [...before].filter((id) => !after.has(id));
  return [
    ...gainedNotices([channel], gained, sighted),
    ...(lost.length === 0 ? [] : [{ to: lost, event: goneEvent([channel.id]) }]),
  ];
}

/** Tells people of channels that they may know of now, and who is subscribed to them. */
export function gainedNotices(
  channels: readonly Channel[],
  userIds: readonly number[],
  { moment, activities }: Sighted,
): readonly Notice[] {
  if (channels.length === 0 || userIds.length === 0) return [];
  const objects = channels.map((channel) => channelObject(moment, channel, activities));
  return [{ to: userIds, event: creationEvent(objects) }, ...subscriberNotices(channels, userIds, moment)];
}

/** Whoever subscribed is told of the subscribers with that. Channels with the same subscribers are told of together. */
function subscriberNotices(
  channels: readonly Channel[],
  userIds: readonly number[],
  { directory }: Moment,
): readonly Notice[] {
  const alike = new Map<
    string,
    { readonly channelIds: number[]; readonly subscriberIds: readonly number[] }
  >();
  for (const { id } of channels) {
    const subscriberIds = directory.subscriberIds(id);
    const key = subscriberIds.join();
    const known = alike.get(key);
    if (known === undefined) alike.set(key, { channelIds: [id], subscriberIds });
    else known.channelIds.push(id);
  }
  return [...alike.values()].flatMap(({ channelIds, subscriberIds }) => {
    const subscribed = new Set(subscriberIds);
    const to = userIds.filter((id) => !subscribed.has(id));
    return subscribed.size === 0 || to.length === 0
      ? []
      : [{ to, event: peerEvent('peer_add', channelIds, subscriberIds) }];
  });
}

/** People came to channels or left them. */
export function peerEvent(
  op: 'peer_add' | 'peer_remove',
  channelIds: readonly number[],
  userIds: readonly number[],
): ClientEvent {
  return { type: 'subscription', op, stream_ids: channelIds, user_ids: userIds };
}

export function creationEvent(streams: readonly Record<string, unknown>[]): ClientEvent {
  return { type: 'stream', op: 'create', streams };
}

export function goneEvent(channelIds: readonly number[]): ClientEvent {
  return {
    type: 'stream',
    op: 'delete',
    stream_ids: channelIds,
    streams: channelIds.map((id) => ({ stream_id: id })),
  };
}
