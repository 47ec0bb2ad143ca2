import type { Channel } from '../../../access/records/channel.js';
import { hasMetadataAccess } from '../../../access/channel-permissions.js';
import { groupsAround } from '../../../access/membership.js';
import type { Snapshot } from '../../../access/snapshot.js';
import { mapper, type AddressedEvent, type Mapper } from '../../../realtime/mapper.js';
import { accessEvents, type Activities } from './channel-access.js';
import type { ChannelModels } from '../client-models.js';

interface OfGroup {
  readonly data: { readonly groupId: number };
}

/** How an event changes the members of a group. */
interface MembershipChange<Event> {
  /** Ids of the people who joined or left. */
  readonly concerned: (event: Event, snapshot: Snapshot) => readonly number[];
  readonly clientEvents: (event: Event, snapshot: Snapshot) => readonly AddressedEvent[];
}

/** By channel, the ids of those of the people concerned who may know of it. */
type ReadersByChannel = ReadonlyMap<number, ReadonlySet<number>>;

/** The private channels that group members may know of because of the group. */
export function channelsUsingGroup(snapshot: Snapshot, groupId: number): readonly Channel[] {
  const groupIds = groupsAround(snapshot, groupId);
  return [...snapshot.directory.channels()].filter(({ privacy, permissions }) => {
    if (!privacy.inviteOnly) return false;
    const { can_subscribe_group, can_add_subscribers_group, can_administer_channel_group } = permissions;
    return [can_subscribe_group, can_add_subscribers_group, can_administer_channel_group].some((setting) =>
      typeof setting === 'number'
        ? groupIds.has(setting)
        : setting.direct_subgroups.some((id) => groupIds.has(id)),
    );
  });
}

function readersByChannel(snapshot: Snapshot, groupId: number, userIds: readonly number[]): ReadersByChannel {
  const users = userIds.flatMap((id) => snapshot.directory.user(id) ?? []).filter(({ isActive }) => isActive);
  return new Map(
    channelsUsingGroup(snapshot, groupId).map((channel) => {
      const readers = users.filter((user) => hasMetadataAccess(snapshot, user, channel));
      return [channel.id, new Set(readers.map(({ id }) => id))];
    }),
  );
}

/** Client events for people who join or leave a group and so gain or lose access to channels. */
export function membershipMapper<Event extends OfGroup>({
  concerned,
  clientEvents,
}: MembershipChange<Event>): Mapper<Event, ChannelModels> {
  return mapper<Event, ChannelModels, ReadersByChannel, Activities>({
    before: (event, snapshot) => readersByChannel(snapshot, event.data.groupId, concerned(event, snapshot)),
    read: ({ data: { groupId } }, models, snapshot) =>
      models.activities(channelsUsingGroup(snapshot, groupId).map(({ id }) => id)),
    clientEvents: (event, { snapshot, before, read }) => {
      const now = readersByChannel(snapshot, event.data.groupId, concerned(event, snapshot));
      const changes = [...now].flatMap(([channelId, after]) => {
        const channel = snapshot.directory.channel(channelId);
        if (channel === null) return [];
        const known = { before: before.get(channelId) ?? new Set<number>(), after };
        return accessEvents(channel, known, { snapshot, activities: read });
      });
      return [...clientEvents(event, snapshot), ...changes];
    },
  });
}
