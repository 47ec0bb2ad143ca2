import type { Channel } from '../../src/access/records/channel.js';
import {
  channelDirectoryFold,
  CHANNELS_STREAM,
  type ChannelDirectory,
} from '../../src/contexts/channels/channels.state.js';
import {
  channelStream,
  channelSubscriptionsFold,
  isSubscriber,
  type ChannelSubscriptions,
} from '../../src/contexts/channels/subscriptions.state.js';
import {
  ChannelCreated,
  type ChannelDirectoryEvent,
  type ChannelPermissions,
  type ChannelPrivacy,
} from '../../src/events/channels.js';
import type { SubscriptionEvent } from '../../src/events/subscriptions.js';
import { defaultChannelPermissions } from '../../src/access/channel-permission-values.js';
import { Directory } from '../../src/access/directory.js';
import type { Snapshot } from '../../src/access/snapshot.js';
import type { DomainEvent, EventMetadata, EventOf, RecordedEvent } from '../../src/kernel/event.js';
import { systemGroups } from '../../src/events/values/organization-defaults.js';
import {
  defaultOrganizationPermissions,
  type OrganizationPermissions,
} from '../../src/events/values/organization-permissions.js';
import {
  defaultOrganizationSettings,
  type OrganizationSettings,
} from '../../src/events/values/organization-settings.js';
import { systemGroupPermissions } from '../../src/access/group-permission-values.js';
import { roles } from '../../src/access/records/roles.js';
import type { UserGroup } from '../../src/access/records/user-group.js';
import type { User } from '../../src/access/records/user.js';
import { foldEvents } from '../support/fold-events.js';

/** The people of all channel tests. */
export const owner = person(1, roles.owner);
export const ada = person(2, roles.administrator);
export const iago = person(3, roles.member);
export const bo = person(4, roles.member);
export const gil = person(5, roles.guest);
export const gone: User = { ...person(6, roles.member), isActive: false };
export const iagosBot: User = { ...person(7, roles.member), bot: { type: 1, ownerId: 3, isSystem: false } };

function person(id: number, role: User['role']): User {
  return {
    id,
    email: `user${id}@example.com`,
    emailDigest: `digest${id}`,
    fullName: `Person ${id}`,
    role,
    bot: null,
    isActive: true,
    emailChangedAt: null,
    passwordChangedAt: null,
    avatar: null,
    avatarVersion: 1,
    awaitsFirstLogin: false,
    joinedAt: 0,
  };
}

/** The time of all events here. */
export const now = 1_000_000;

export const openPrivacy: ChannelPrivacy = {
  inviteOnly: false,
  historyPublicToSubscribers: true,
  isWebPublic: false,
};
export const privatePrivacy: ChannelPrivacy = {
  inviteOnly: true,
  historyPublicToSubscribers: false,
  isWebPublic: false,
};

/** The events so far, and the state that follows from them. */
export interface World {
  readonly snapshot: Snapshot;
  readonly channels: ChannelDirectory;
  readonly events: readonly RecordedEvent<ChannelDirectoryEvent | SubscriptionEvent>[];
  isSubscriber(channelId: number, userId: number): boolean;
  subscriptionsOf(channelId: number): ChannelSubscriptions;
  channel(channelId: number): Channel;
}

/** Folds events as if they had been read from the log, each from a command of its own. */
export function given(
  events: readonly (ChannelDirectoryEvent | SubscriptionEvent)[],
  permissions: Partial<OrganizationPermissions> = {},
  settings: Partial<OrganizationSettings> = {},
): World {
  const recorded = record(events);
  const directory = new Directory({
    organization: {
      createdAt: 0,
      domains: [],
      codePlaygrounds: [],
      settings: { ...defaultOrganizationSettings, ...settings },
      permissions: { ...defaultOrganizationPermissions, ...permissions },
    },
    users: [owner, ada, iago, bo, gil, gone, iagosBot],
    settings: [],
    settingDefaults: null,
    statuses: [],
    profileFields: null,
    profiles: [],
    linkifiers: null,
    customEmoji: null,
    groups: systemGroups.map(systemGroup),
    channels: [],
    channelFolders: null,
    subscriptions: [],
  });
  recorded.forEach((event) => directory.apply(event));
  const channels = foldEvents(channelDirectoryFold, recorded.filter(standsInDirectory));
  const subscriptionsOf = (channelId: number): ChannelSubscriptions => {
    const creation = channels.creations.get(channelId)!;
    const own = recorded.filter((event) => event.stream === channelStream(channelId));
    return foldEvents(channelSubscriptionsFold(creation), own);
  };
  return {
    snapshot: { directory, now },
    channels,
    events: recorded,
    isSubscriber: (channelId, userId) => isSubscriber(subscriptionsOf(channelId), userId),
    subscriptionsOf,
    channel: (channelId) => channels.channels.get(channelId)!,
  };
}

/** The creation of a channel. Ids are numbered in the order of creation, if these are the first events of the world. */
export function created(
  channelId: number,
  data: Partial<Omit<EventOf<typeof ChannelCreated>['data'], 'permissions' | 'channelId'>> & {
    readonly permissions?: Partial<ChannelPermissions>;
  } = {},
): EventOf<typeof ChannelCreated> {
  const creatorId = data.creatorId ?? iago.id;
  return {
    type: 'ChannelCreated',
    data: {
      ...ChannelCreated.example,
      name: `channel ${channelId}`,
      creatorId,
      subscriberIds: [],
      privacy: openPrivacy,
      ...data,
      channelId,
      permissions: { ...defaultChannelPermissions(creatorId), ...data.permissions },
    },
  };
}

export function subscribed(channelId: number, userIds: number[]): SubscriptionEvent {
  return {
    type: 'UsersSubscribed',
    data: { channelId, userIds, afterMessageId: 0, color: null, notify: false, continuation: [] },
  };
}

export function unsubscribed(channelId: number, userIds: number[]): SubscriptionEvent {
  return { type: 'UsersUnsubscribed', data: { channelId, userIds, throughMessageId: 0, continuation: [] } };
}

/** Gives events positions, as if they were in the log. */
export function record<Event extends ChannelDirectoryEvent | SubscriptionEvent>(
  events: readonly Event[],
  metadata: Partial<EventMetadata> = {},
): RecordedEvent<Event>[] {
  const revisions = new Map<string, number>();
  return events.map((event, position) => {
    const stream = standsInDirectory(event) ? CHANNELS_STREAM : channelStream(event.data.channelId);
    const revision = revisions.get(stream) ?? 0;
    revisions.set(stream, revision + 1);
    return {
      ...event,
      id: `event-${position}`,
      stream,
      revision,
      position,
      erased: false,
      metadata: {
        actorId: iago.id,
        commandId: `command-${position}`,
        causationId: null,
        client: 'test',
        at: now,
        ...metadata,
      },
    };
  });
}

const subscriptionTypes = ['UsersSubscribed', 'UsersUnsubscribed', 'SubscriptionPropertyChanged'];

function standsInDirectory<Event extends DomainEvent>(
  event: Event,
): event is Event & RecordedEvent<ChannelDirectoryEvent> {
  return !subscriptionTypes.includes(event.type);
}

function systemGroup({ id, name, description, subgroup }: (typeof systemGroups)[number]): UserGroup {
  return {
    id,
    name,
    description,
    isSystem: true,
    creatorId: null,
    createdAt: 0,
    memberIds: [],
    subgroupIds: subgroup === null ? [] : [subgroup],
    permissions: systemGroupPermissions,
    isDeactivated: false,
  };
}
