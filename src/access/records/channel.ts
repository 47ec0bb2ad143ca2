import { definedOf, unreachable } from '../../kernel/json.js';
import type { RecordedEvent } from '../../kernel/event.js';
import type {
  ChannelDirectoryEvent,
  ChannelPermissions,
  ChannelPrivacy,
  TopicsPolicy,
} from '../../events/channels.js';

/** A channel as the stream `channels` describes it, without its subscriptions. */
export interface Channel {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly creatorId: number | null;
  /** Milliseconds since the UNIX epoch. */
  readonly createdAt: number;
  readonly privacy: ChannelPrivacy;
  readonly permissions: ChannelPermissions;
  readonly topicsPolicy: TopicsPolicy;
  /** Null: the organization's setting applies; -1: for ever. */
  readonly messageRetentionDays: number | null;
  readonly folderId: number | null;
  /** Whether new people are subscribed to it. Archiving a channel resets it. */
  readonly isDefault: boolean;
  readonly isArchived: boolean;
}

/** Applies an event of the stream `channels` to its channel; null before that was created. */
export function evolveChannel(
  channel: Channel | null,
  event: RecordedEvent<ChannelDirectoryEvent>,
): Channel | null {
  if (event.type === 'ChannelCreated') return created(event);
  return channel === null ? null : evolveExisting(channel, event);
}

type Created = Extract<RecordedEvent<ChannelDirectoryEvent>, { type: 'ChannelCreated' }>;

function created({ data, metadata }: Created): Channel {
  const {
    channelId: id,
    subscriberIds: _subscribers,
    color: _color,
    announced: _announced,
    continuation: _continuation,
    notify: _notify,
    ...facts
  } = data;
  return { id, ...facts, createdAt: metadata.at, isArchived: false };
}

function evolveExisting(
  channel: Channel,
  event: Exclude<RecordedEvent<ChannelDirectoryEvent>, Created>,
): Channel {
  switch (event.type) {
    case 'ChannelRenamed':
      return { ...channel, name: event.data.name };
    case 'ChannelDescriptionChanged':
      return { ...channel, description: event.data.description };
    case 'ChannelPrivacyChanged':
      return { ...channel, privacy: event.data.privacy };
    case 'ChannelPermissionsChanged':
      return { ...channel, permissions: { ...channel.permissions, ...definedOf(event.data.permissions) } };
    case 'ChannelPropertiesChanged':
      return { ...channel, ...definedOf(event.data.properties) };
    case 'ChannelArchived':
      return { ...channel, isArchived: true, isDefault: false };
    case 'ChannelUnarchived':
      return { ...channel, isArchived: false };
    default:
      return unreachable(event);
  }
}
