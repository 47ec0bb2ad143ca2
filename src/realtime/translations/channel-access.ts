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

/** Tells those who may know of a channel now and could not before, and those who no longer may. */
export function accessNotices(
  channel: Channel,
  { before, after }: { readonly before: ReadonlySet<number>; readonly after: ReadonlySet<number> },
  object: () => Record<string, unknown>,
): readonly Notice[] {
  const gained = [...after].filter((id) => !before.has(id));
  const lost = [...before].filter((id) => !after.has(id));
  return [
    ...(gained.length === 0 ? [] : [{ to: gained, event: creationEvent([object()]) }]),
    ...(lost.length === 0 ? [] : [{ to: lost, event: goneEvent([channel.id]) }]),
  ];
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
