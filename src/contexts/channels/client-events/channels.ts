import type { ChannelDirectoryEvent } from '../../../events/channels.js';
import type { Channel } from '../../../access/records/channel.js';
import type { User } from '../../../access/records/user.js';
import { permissionFields } from '../channels.view.js';
import { hasMetadataAccess } from '../../../access/channel-permissions.js';
import type { Snapshot } from '../../../access/snapshot.js';
import { shownPermissions } from '../../../access/permission-value.js';
import { renderDescription } from '../../../markdown/render.js';
import type { ClientEvent } from '../../../realtime/client-event.js';
import { mapper, type AddressedEvent, type Mappers } from '../../../realtime/mapper.js';
import {
  accessEvents,
  asKnown,
  creationEvent,
  forClients,
  goneEvent,
  metadataReaders,
  newChannelObject,
  type Activities,
} from './channel-access.js';
import { defaultChannelsChanged } from './bot-defaults.js';
import { defaultChannelsEvent } from './defaults.js';
import { subscribedEvents } from './subscriptions.js';
import type { ChannelModels } from '../client-models.js';

interface OfChannel {
  readonly data: { readonly channelId: number };
}

function readersOfChannel({ data }: OfChannel, snapshot: Snapshot): ReadonlySet<number> {
  return metadataReaders(snapshot, data.channelId);
}

function activities({ data }: OfChannel, models: ChannelModels): Promise<Activities> {
  return models.activities([data.channelId]);
}

/**
 * Client events for channels that are created and changed. For people who gain or lose access, these are the
 * events of a creation or deletion.
 */
export const channelMappers: Mappers<ChannelDirectoryEvent, ChannelModels> = {
  ChannelCreated: {
    clientEvents: ({ data }, { snapshot }) => {
      const channel = snapshot.directory.channel(data.channelId);
      if (channel === null) return [];
      const event = creationEvent([newChannelObject(snapshot, channel, new Map())]);
      return [
        { to: whoKnows(channel, snapshot), event },
        ...subscribedEvents(channel, data.subscriberIds, { snapshot, activities: new Map() }),
        ...(channel.isDefault ? [defaultChannelsEvent(snapshot)] : []),
      ];
    },
  },
  ChannelRenamed: {
    clientEvents: ({ data: { channelId, name, previousName } }, { snapshot }) => {
      const channel = snapshot.directory.channel(channelId);
      return [
        ...channelChanged(channelId, snapshot, { property: 'name', value: name, name: previousName }),
        ...(channel === null
          ? []
          : defaultChannelsChanged([channelId], snapshot, whoKnows(channel, snapshot))),
      ];
    },
  },
  ChannelDescriptionChanged: {
    clientEvents: ({ data: { channelId, description: value } }, { snapshot }) => {
      const html = renderDescription(value);
      return channelChanged(channelId, snapshot, {
        property: 'description',
        value,
        rendered_description: html,
      });
    },
  },
  ChannelPrivacyChanged: mapper({
    before: (event, snapshot) => readersOfChannel(event, snapshot),
    read: (event, models) => activities(event, models),
    clientEvents: ({ data: { channelId, privacy } }, { snapshot, before, read }) => {
      const channel = snapshot.directory.channel(channelId);
      if (channel === null) return [];
      const after = metadataReaders(snapshot, channelId);
      const event = updateEvent(channel, {
        property: 'invite_only',
        value: privacy.inviteOnly,
        history_public_to_subscribers: privacy.historyPublicToSubscribers,
        is_web_public: privacy.isWebPublic,
      });
      return [
        { to: [...after].filter((id) => before.has(id)), event: asKnown(channel, event) },
        ...accessEvents(channel, { before, after }, { snapshot, activities: read }),
      ];
    },
  }),
  ChannelPermissionsChanged: mapper({
    before: (event, snapshot) => readersOfChannel(event, snapshot),
    read: (event, models) => activities(event, models),
    clientEvents: (event, { snapshot, before, read }) => {
      const channel = snapshot.directory.channel(event.data.channelId);
      if (channel === null) return [];
      const after = metadataReaders(snapshot, channel.id);
      const kept = [...after].filter((id) => before.has(id));
      return [
        ...permissionChanges(snapshot, channel, Object.keys(event.data.permissions)).map((change) => ({
          to: kept,
          event: asKnown(channel, updateEvent(channel, change)),
        })),
        ...accessEvents(channel, { before, after }, { snapshot, activities: read }),
      ];
    },
  }),
  ChannelPropertiesChanged: {
    clientEvents: ({ data: { channelId, properties } }, { snapshot }) => {
      const { messageRetentionDays, topicsPolicy, folderId, isDefault } = properties;
      const values = {
        message_retention_days: messageRetentionDays,
        topics_policy: topicsPolicy,
        folder_id: folderId,
      };
      const changes = Object.entries(values).filter(([, value]) => value !== undefined);
      return [
        ...changes.flatMap(([property, value]) => channelChanged(channelId, snapshot, { property, value })),
        ...(isDefault === undefined ? [] : [defaultChannelsEvent(snapshot)]),
      ];
    },
  },
  ChannelArchived: mapper({
    before: ({ data }, { directory }) => directory.channel(data.channelId)?.isDefault === true,
    clientEvents: ({ data: { channelId } }, { snapshot, before: wasDefault }) => {
      const channel = snapshot.directory.channel(channelId);
      if (channel === null) return [];
      const archived = updateEvent(channel, { property: 'is_archived', value: true });
      const gone = goneEvent([channelId]);
      return [
        {
          to: whoKnows(channel, snapshot),
          event: ({ options }) => (options.capabilities.archived_channels ? archived : gone),
        },
        ...(wasDefault ? [defaultChannelsEvent(snapshot)] : []),
      ];
    },
  }),
  ChannelUnarchived: mapper({
    read: activities,
    clientEvents: ({ data: { channelId } }, { snapshot, read }) => {
      const channel = snapshot.directory.channel(channelId);
      if (channel === null) return [];
      const unarchived = updateEvent(channel, { property: 'is_archived', value: false });
      const created = creationEvent([newChannelObject(snapshot, channel, read)]);
      return [
        {
          to: whoKnows(channel, snapshot),
          event: ({ options }) => (options.capabilities.archived_channels ? unarchived : created),
        },
        ...subscribedEvents(channel, snapshot.directory.subscriberIds(channelId), {
          snapshot,
          activities: read,
        }).map(withoutArchivedSupport),
      ];
    },
  }),
};

/**
 * Restricts an event to clients without support for archived channels: for them the channel is created now. Other
 * clients have known its subscribers all the time.
 */
function withoutArchivedSupport({ to, event }: AddressedEvent): AddressedEvent {
  return { to, event: forClients(({ capabilities }) => !capabilities.archived_channels, event) };
}

function whoKnows(channel: Channel, snapshot: Snapshot): (user: User) => boolean {
  return (user) => hasMetadataAccess(snapshot, user, channel);
}

type Change = Readonly<Record<string, unknown>> & { readonly property: string; readonly value: unknown };

/** The client event about a new value of one of a channel's properties, for those who know of the channel. */
export function channelChanged(
  channelId: number,
  snapshot: Snapshot,
  change: Change,
): readonly AddressedEvent[] {
  const channel = snapshot.directory.channel(channelId);
  if (channel === null) return [];
  return [{ to: whoKnows(channel, snapshot), event: asKnown(channel, updateEvent(channel, change)) }];
}

function updateEvent({ id, name }: Channel, change: Change): ClientEvent {
  return { type: 'stream', op: 'update', stream_id: id, name, ...change };
}

/** The new values of permissions, with the older names of the permission to send. */
export function permissionChanges(
  { directory }: Snapshot,
  channel: Channel,
  names: readonly string[],
): readonly Change[] {
  const fields: Readonly<Record<string, unknown>> = permissionFields(
    shownPermissions(directory, channel.permissions),
  );
  const older = names.includes('can_send_message_group')
    ? ['stream_post_policy', 'is_announcement_only']
    : [];
  return [...names, ...older].map((property) => ({ property, value: fields[property] }));
}
