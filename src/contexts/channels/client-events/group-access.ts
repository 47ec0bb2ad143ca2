import type { Channel } from '../../../access/records/channel.js';
import { hasMetadataAccess } from '../../../access/channel-permissions.js';
import { groupsWithin } from '../../../access/membership.js';
import type { Moment } from '../../../access/moment.js';
import { mapper, type AddressedEvent, type Mapper } from '../../../realtime/mapper.js';
import { accessEvents, type Activities } from './channel-access.js';
import type { ChannelModels } from '../client-models.js';

interface OfGroup {
  readonly data: { readonly groupId: number };
}

/** How an event changes who belongs to a group. */
interface MembershipChange<Event> {
  /** Ids of the people who came or went. */
  readonly concerned: (event: Event, moment: Moment) => readonly number[];
  readonly clientEvents: (event: Event) => readonly AddressedEvent[];
}

/** Ids of the people who know of a channel, of those who are concerned, by channel. */
type Sight = ReadonlyMap<number, ReadonlySet<number>>;

/** The channels whose knowers depend on who belongs to the group: private ones, to which it is a way. */
export function channelsBehind(moment: Moment, groupId: number): readonly Channel[] {
  return [...moment.directory.channels()].filter(({ privacy, permissions }) => {
    if (!privacy.inviteOnly) return false;
    const { can_subscribe_group, can_add_subscribers_group, can_administer_channel_group } = permissions;
    return [can_subscribe_group, can_add_subscribers_group, can_administer_channel_group].some((setting) =>
      [...groupsWithin(moment, setting)].some(({ id }) => id === groupId),
    );
  });
}

function sightOf(moment: Moment, groupId: number, userIds: readonly number[]): Sight {
  const users = userIds.flatMap((id) => moment.directory.user(id) ?? []).filter(({ isActive }) => isActive);
  return new Map(
    channelsBehind(moment, groupId).map((channel) => {
      const knowers = users.filter((user) => hasMetadataAccess(moment, user, channel));
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
    before: (event, moment) => sightOf(moment, event.data.groupId, concerned(event, moment)),
    read: ({ data: { groupId } }, models, moment) =>
      models.activities(channelsBehind(moment, groupId).map(({ id }) => id)),
    clientEvents: (event, { moment, before, read }) => {
      const sight = sightOf(moment, event.data.groupId, concerned(event, moment));
      const changes = [...sight].flatMap(([channelId, after]) => {
        const channel = moment.directory.channel(channelId);
        if (channel === null) return [];
        const known = { before: before.get(channelId) ?? new Set<number>(), after };
        return accessEvents(channel, known, { moment, activities: read });
      });
      return [...clientEvents(event), ...changes];
    },
  });
}
