import { groupsOf } from '../../../access/records/organization.js';
import { isGuest } from '../../../access/records/roles.js';
import type { User } from '../../../access/records/user.js';
import type { Snapshot } from '../../../access/snapshot.js';
import type { ClientEvent } from '../../../realtime/client-event.js';
import type { AddressedEvent } from '../../../realtime/mapper.js';
import { channelGroupObject } from '../channels.replies.js';

/** Ids of the channels that new people join, ascending. */
export function defaultChannelIds({ directory }: Snapshot): readonly number[] {
  const defaults = [...directory.channels()].filter(({ isDefault }) => isDefault);
  return defaults.map(({ id }) => id).sort((a, b) => a - b);
}

/** The groups of channels that new people may choose. */
export function channelGroupObjects({ directory }: Snapshot): readonly object[] {
  return groupsOf(directory.organization ?? {}).map(channelGroupObject);
}

/** The complete list of default channels, for everyone but guests, who do not learn which channels others join. */
export function defaultChannelsEvent(snapshot: Snapshot): AddressedEvent {
  return { to: (user) => !isGuest(user), event: defaultChannels(defaultChannelIds(snapshot)) };
}

/** The complete list of groups of channels, for everyone but guests. */
export function channelGroupsEvent(snapshot: Snapshot): AddressedEvent {
  return { to: (user) => !isGuest(user), event: channelGroups(channelGroupObjects(snapshot)) };
}

/** Both lists for somebody who became a guest or stopped being one: they are empty for guests. */
export function defaultsForRole(before: User, after: User, snapshot: Snapshot): readonly AddressedEvent[] {
  if (isGuest(before) === isGuest(after)) return [];
  const [ids, groups] = isGuest(after)
    ? [[], []]
    : [defaultChannelIds(snapshot), channelGroupObjects(snapshot)];
  return [defaultChannels(ids), channelGroups(groups)].map((event) => ({ to: [after.id], event }));
}

function defaultChannels(ids: readonly number[]): ClientEvent {
  return { type: 'default_streams', default_streams: ids };
}

function channelGroups(groups: readonly object[]): ClientEvent {
  return { type: 'default_stream_groups', default_stream_groups: groups };
}
