import type { ChannelDirectoryEvent } from '../../../events/channels.js';
import type { Channel } from '../../../access/records/channel.js';
import { permissionFields } from '../channel-fields.js';
import { hasMetadataAccess } from '../../../access/channel-permissions.js';
import type { Moment } from '../../../access/moment.js';
import { shownPermissions } from '../../../access/shown-permission.js';
import { renderMarkdown } from '../../../markdown/render.js';
import { isGuest } from '../../../access/records/roles.js';
import type { ClientEvent } from '../../../realtime/client-event.js';
import { mapper, type Audience, type AddressedEvent, type Mappers } from '../../../realtime/mapper.js';
import {
  accessEvents,
  asKnown,
  channelObject,
  creationEvent,
  forClients,
  goneEvent,
  knowersOf,
  type Activities,
} from './channel-access.js';
import { subscribedEvents } from './subscriptions.js';
import type { ChannelModels } from '../client-models.js';

interface OfChannel {
  readonly data: { readonly channelId: number };
}

function knowers({ data }: OfChannel, moment: Moment): ReadonlySet<number> {
  return knowersOf(moment, data.channelId);
}

function activities({ data }: OfChannel, models: ChannelModels): Promise<Activities> {
  return models.activities([data.channelId]);
}

/** Channels as they are created and changed; whoever gains or loses sight of one is told as if it began or ended. */
export const channelMappers: Mappers<ChannelDirectoryEvent, ChannelModels> = {
  ChannelCreated: {
    clientEvents: ({ data }, { moment }) => {
      const channel = moment.directory.channel(data.channelId);
      if (channel === null) return [];
      const event = creationEvent([channelObject(moment, channel, new Map())]);
      return [
        { to: whoKnows(channel, moment), event },
        ...subscribedEvents(channel, data.subscriberIds, { moment, activities: new Map() }),
        ...(channel.isDefault ? [defaultsEvent(moment)] : []),
      ];
    },
  },
  ChannelRenamed: {
    clientEvents: ({ data }, { moment }) =>
      channelChanged(data.channelId, moment, {
        property: 'name',
        value: data.name,
        name: data.previousName,
      }),
  },
  ChannelDescriptionChanged: {
    clientEvents: ({ data: { channelId, description: value } }, { moment }) => {
      const html = value === '' ? '' : renderMarkdown(value, {}).html;
      return channelChanged(channelId, moment, {
        property: 'description',
        value,
        rendered_description: html,
      });
    },
  },
  ChannelPrivacyChanged: mapper({
    before: (event, moment) => knowers(event, moment),
    read: (event, models) => activities(event, models),
    clientEvents: ({ data: { channelId, privacy } }, { moment, before, read }) => {
      const channel = moment.directory.channel(channelId);
      if (channel === null) return [];
      const after = knowersOf(moment, channelId);
      const event = updateEvent(channel, {
        property: 'invite_only',
        value: privacy.inviteOnly,
        history_public_to_subscribers: privacy.historyPublicToSubscribers,
        is_web_public: privacy.isWebPublic,
      });
      return [
        { to: [...after].filter((id) => before.has(id)), event: asKnown(channel, event) },
        ...accessEvents(channel, { before, after }, { moment, activities: read }),
      ];
    },
  }),
  ChannelPermissionsChanged: mapper({
    before: (event, moment) => knowers(event, moment),
    read: (event, models) => activities(event, models),
    clientEvents: (event, { moment, before, read }) => {
      const channel = moment.directory.channel(event.data.channelId);
      if (channel === null) return [];
      const after = knowersOf(moment, channel.id);
      const kept = [...after].filter((id) => before.has(id));
      return [
        ...permissionChanges(moment, channel, Object.keys(event.data.permissions)).map((change) => ({
          to: kept,
          event: asKnown(channel, updateEvent(channel, change)),
        })),
        ...accessEvents(channel, { before, after }, { moment, activities: read }),
      ];
    },
  }),
  ChannelPropertiesChanged: {
    clientEvents: ({ data: { channelId, properties } }, { moment }) => {
      const { messageRetentionDays, topicsPolicy, folderId, isDefault } = properties;
      const values = {
        message_retention_days: messageRetentionDays,
        topics_policy: topicsPolicy,
        folder_id: folderId,
      };
      const changes = Object.entries(values).filter(([, value]) => value !== undefined);
      return [
        ...changes.flatMap(([property, value]) => channelChanged(channelId, moment, { property, value })),
        ...(isDefault === undefined ? [] : [defaultsEvent(moment)]),
      ];
    },
  },
  ChannelArchived: mapper({
    before: ({ data }, { directory }) => directory.channel(data.channelId)?.isDefault === true,
    clientEvents: ({ data: { channelId } }, { moment, before: wasDefault }) => {
      const channel = moment.directory.channel(channelId);
      if (channel === null) return [];
      const archived = updateEvent(channel, { property: 'is_archived', value: true });
      const gone = goneEvent([channelId]);
      return [
        {
          to: whoKnows(channel, moment),
          event: ({ options }) => (options.capabilities.archived_channels ? archived : gone),
        },
        ...(wasDefault ? [defaultsEvent(moment)] : []),
      ];
    },
  }),
  ChannelUnarchived: mapper({
    read: activities,
    clientEvents: ({ data: { channelId } }, { moment, read }) => {
      const channel = moment.directory.channel(channelId);
      if (channel === null) return [];
      const unarchived = updateEvent(channel, { property: 'is_archived', value: false });
      const created = creationEvent([channelObject(moment, channel, read)]);
      return [
        {
          to: whoKnows(channel, moment),
          event: ({ options }) => (options.capabilities.archived_channels ? unarchived : created),
        },
        ...subscribedEvents(channel, moment.directory.subscriberIds(channelId), {
          moment,
          activities: read,
        }).map(toThoseItBeganFor),
      ];
    },
  }),
};

/** Clients that know archived channels knew who was subscribed all the while. */
function toThoseItBeganFor({ to, event }: AddressedEvent): AddressedEvent {
  return { to, event: forClients(({ capabilities }) => !capabilities.archived_channels, event) };
}

function whoKnows(channel: Channel, moment: Moment): Audience {
  return (user) => hasMetadataAccess(moment, user, channel);
}

type Change = Readonly<Record<string, unknown>> & { readonly property: string; readonly value: unknown };

/** Tells those who know of a channel that one of its properties has another value. */
export function channelChanged(channelId: number, moment: Moment, change: Change): readonly AddressedEvent[] {
  const channel = moment.directory.channel(channelId);
  if (channel === null) return [];
  return [{ to: whoKnows(channel, moment), event: asKnown(channel, updateEvent(channel, change)) }];
}

function updateEvent({ id, name }: Channel, change: Change): ClientEvent {
  return { type: 'stream', op: 'update', stream_id: id, name, ...change };
}

/** What some permissions of a channel are now; the older names of the right to send are changed with it. */
export function permissionChanges(
  { directory }: Moment,
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

/** Guests are not told which channels others join by default. */
function defaultsEvent({ directory }: Moment): AddressedEvent {
  const defaults = [...directory.channels()].filter(({ isDefault }) => isDefault);
  const ids = defaults.map(({ id }) => id).sort((a, b) => a - b);
  return { to: (user) => !isGuest(user), event: { type: 'default_streams', default_streams: ids } };
}
