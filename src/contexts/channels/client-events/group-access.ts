import type { Channel } from '../../../access/records/channel.js';
import { hasMetadataAccess } from '../../../access/channel-permissions.js';
import { groupsWithin } from '../../../access/membership.js';
import type { Snapshot } from '../../../access/snapshot.js';
import { mapper, type AddressedEvent, type Mapper } from '../../../realtime/mapper.js';
import { accessEvents, type Activities } from './channel-access.js';
import type { ChannelModels } from '../client-models.js';

interface OfGroup {
  readonly data: { readonly groupId: number };
}

/** How an event changes who belongs to a group. */
interface MembershipChange<Event> {
  /** Ids of the people who came or went. */
  readonly concerned: (event: Event, snapshot: Snapshot) => readonly number[];
  readonly clientEvents: (event: Event) => readonly AddressedEvent[];
}

/** Ids of the people who know of a channel, of those who are concerned, by channel. */
type Sight = ReadonlyMap<number, ReadonlySet<number>>;

/** The channels whose knowers depend on who belongs to the group: private ones, to which it is a way. */
export function channelsBehind(snapshot: Snapshot, groupId: number): readonly Channel[] {
  return [...snapshot.directory.channels()].filter(({ privacy, permissions }) => {
    if (!privacy.inviteOnly) return false;
    const { can_subscribe_group, can_add_subscribers_group, can_administer_channel_group } = permissions;
    return [can_subscribe_group, can_add_subscribers_group, can_administer_channel_group].some((setting) =>
      [...groupsWithin(snapshot, setting)].some(({ id }) => id === groupId),
    );
  });
}

function sightOf(snapshot: Snapshot, groupId: number, userIds: readonly number[]): Sight {
  const users = userIds.flatMap((id) => snapshot.directory.user(id) ?? []).filter(({ isActive }) => isActive);
  return new Map(
    channelsBehind(snapshot, groupId).map((channel) => {
      const knowers = users.filter((user) => hasMetadataAccess(snapshot, user, channel));
      return [channel.id, new Set(knowers.map(({ id }) => id))];
    }),
  );
}

/** Whoever comes to a group or leaves it, may know of other channels: told as if those began or ended. */
export function membershipMapper<Event extends OfGroup>({
  concerned,
  clientEvents,
}: MembershipChange<Event>): Mapper<Event, ChannelModels> {
  return mapper<Event, ChannelModels, Sight, Activities>({
    before: (event, snapshot) => sightOf(snapshot, event.data.groupId, concerned(event, snapshot)),
    read: ({ data: { groupId } }, models, snapshot) =>
      models.activities(channelsBehind(snapshot, groupId).map(({ id }) => id)),
    clientEvents: (event, { snapshot, before, read }) => {
      const sight = sightOf(snapshot, event.data.groupId, concerned(event, snapshot));
      const changes = [...sight].flatMap(([channelId, after]) => {
        const channel = snapshot.directory.channel(channelId);
        if (channel === null) return [];
        const known = { before: before.get(channelId) ?? new Set<number>(), after };
        return accessEvents(channel, known, { snapshot, activities: read });
      });
      return [...clientEvents(event), ...changes];
    },
  });
}
