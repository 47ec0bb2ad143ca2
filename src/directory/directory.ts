import type { Channel } from '../channels/channel.js';
import { evolveChannel } from '../channels/channel.js';
import {
  channelFoldersFold,
  noChannelFolders,
  type ChannelFolders,
} from '../channels/folders/channel-folders.js';
import type { ChannelFolderEvent } from '../channels/folders/events.js';
import type { ChannelDirectoryEvent, SubscriptionEvent } from '../channels/events.js';
import {
  evolveSubscription,
  isSubscribed,
  subscribersIn,
  type SubscribingEvent,
  type Subscription,
} from '../channels/subscription.js';
import { customEmojiFold, noCustomEmoji, type CustomEmojiSet } from '../emoji/custom-emoji.js';
import type { CustomEmojiEvent } from '../emoji/events.js';
import type { PersonErased } from '../erasure/events.js';
import type { EventOf, RecordedEvent } from '../kernel/event.js';
import type { LinkifierEvent } from '../linkifiers/events.js';
import { linkifiersFold, noLinkifiers, type Linkifiers } from '../linkifiers/linkifiers.js';
import type { OrganizationEvent } from '../organization/events.js';
import { organizationFold, type Organization } from '../organization/organization.js';
import type { ProfileFieldEvent } from '../profiles/events.js';
import type { Profile } from '../profiles/profile.js';
import type { ProfileFields } from '../profiles/profile-fields.js';
import { Profiles } from '../profiles/profiles.js';
import type { SettingEvent } from '../settings/events.js';
import type { PersonalSettings, SettingDefaults } from '../settings/personal-settings.js';
import type { StatusEvent } from '../statuses/events.js';
import { evolveStatus, type Status } from '../statuses/status.js';
import type { UserEvent } from '../users/events.js';
import type { UserGroupEvent } from '../users/group-events.js';
import { evolveUserGroup, type UserGroup } from '../users/user-group.js';
import { erasedUser, evolveUser, type User } from '../users/user.js';
import { NameIndex } from './name-index.js';
import { PeopleSettings } from './people-settings.js';

/** Every event that the directory follows. */
export type DirectoryEvent =
  | OrganizationEvent
  | UserEvent
  | SettingEvent
  | StatusEvent
  | ProfileFieldEvent
  | LinkifierEvent
  | CustomEmojiEvent
  | UserGroupEvent
  | ChannelDirectoryEvent
  | ChannelFolderEvent
  | SubscriptionEvent
  | EventOf<typeof PersonErased>;

/** The records that a directory is loaded from. */
export interface DirectoryRecords {
  readonly organization: Organization | null;
  readonly users: readonly User[];
  readonly settings: readonly PersonalSettings[];
  readonly settingDefaults: SettingDefaults | null;
  readonly statuses: readonly Status[];
  readonly profileFields: ProfileFields | null;
  readonly profiles: readonly Profile[];
  readonly linkifiers: Linkifiers | null;
  readonly customEmoji: CustomEmojiSet | null;
  readonly groups: readonly UserGroup[];
  readonly channels: readonly Channel[];
  readonly channelFolders: ChannelFolders | null;
  readonly subscriptions: readonly Subscription[];
}

/**
 * Who exists and who may do what, as of one position of the log: users, their settings and profiles, groups, channels,
 * subscriptions and the organization. Small and hot, so every node holds it in memory; folded up to an earlier position it answers for the past.
 */
export class Directory {
  organization: Organization | null = null;
  channelFolders: ChannelFolders = noChannelFolders;
  /** What is set for each person. */
  readonly settings = new PeopleSettings();
  /** What people say of themselves, and in which fields. */
  readonly profiles: Profiles;
  /** By which rules texts become links. */
  linkifiers: Linkifiers = noLinkifiers;
  /** The organization's own emoji. */
  customEmoji: CustomEmojiSet = noCustomEmoji;
  /** Another object after every event: whatever follows from the directory alone holds for as long as this is the same. */
  state: object = {};
  private readonly usersById = new Map<number, User>();
  private readonly statusByUser = new Map<number, Status>();
  private readonly userIdByEmailDigest = new Map<string, number>();
  private readonly groupsById = new Map<number, UserGroup>();
  private readonly channelsById = new Map<number, Channel>();
  private readonly channelNames = new NameIndex();
  private readonly userNames = new NameIndex();
  private readonly groupNames = new NameIndex();
  private readonly subscriptionsByChannel = new Map<number, Map<number, Subscription>>();
  private readonly channelIdsByUser = new Map<number, Set<number>>();

  constructor(
    records: DirectoryRecords | null = null,
    /** The last event that it reflects. */
    public position: number | null = null,
  ) {
    this.profiles = new Profiles(records?.profileFields ?? undefined, records?.profiles);
    if (records === null) return;
    this.organization = records.organization;
    records.users.forEach((user) => this.putUser(user));
    records.settings.forEach((settings) => this.settings.put(settings));
    this.settings.defaults = records.settingDefaults ?? this.settings.defaults;
    this.linkifiers = records.linkifiers ?? noLinkifiers;
    this.customEmoji = records.customEmoji ?? noCustomEmoji;
    records.statuses.forEach((status) => this.statusByUser.set(status.userId, status));
    records.groups.forEach((group) => this.putGroup(group));
    this.channelFolders = records.channelFolders ?? noChannelFolders;
    records.channels.forEach((channel) => this.putChannel(channel));
    records.subscriptions.forEach((subscription) => this.putSubscription(subscription));
  }

  /** The same as of the same position, to go on by itself. The records are shared: they never change. */
  copy(): Directory {
    return new Directory(
      {
        organization: this.organization,
        users: [...this.users()],
        settings: [...this.settings.all()],
        settingDefaults: this.settings.defaults,
        statuses: [...this.statusByUser.values()],
        profileFields: this.profiles.fields,
        profiles: [...this.profiles.all()],
        linkifiers: this.linkifiers,
        customEmoji: this.customEmoji,
        groups: [...this.groups()],
        channels: [...this.channels()],
        channelFolders: this.channelFolders,
        subscriptions: [...this.subscriptionsByChannel.values()].flatMap((byUser) => [...byUser.values()]),
      },
      this.position,
    );
  }

  /** Applies the next event of the log. Events must come in log order; one that it reflects already changes nothing. */
  apply(event: RecordedEvent<DirectoryEvent>): void {
    if (this.position !== null && event.position <= this.position) return;
    this.position = event.position;
    this.state = {};
    switch (event.type) {
      case 'OrganizationCreated':
      case 'OrganizationSettingsChanged':
      case 'OrganizationPermissionsChanged':
      case 'DomainAllowed':
      case 'AllowedDomainChanged':
      case 'AllowedDomainRemoved':
      case 'CodePlaygroundAdded':
      case 'CodePlaygroundRemoved':
        this.organization = organizationFold.evolve(this.organization, event);
        return;
      case 'UserRegistered':
        this.settings.register(event);
        this.putUser(evolveUser(null, event));
        return;
      case 'UserSettingChanged':
      case 'UserSettingAssigned':
      case 'UserSettingDefaultChanged':
        this.settings.apply(event);
        return;
      case 'UserStatusChanged': {
        const { userId } = event.data;
        this.statusByUser.set(userId, evolveStatus(this.statusByUser.get(userId) ?? null, event));
        return;
      }
      case 'ProfileFieldCreated':
      case 'ProfileFieldChanged':
      case 'ProfileFieldsReordered':
      case 'ProfileFieldDeleted':
        this.profiles.applyToFields(event);
        return;
      case 'ProfileDataChanged':
        this.profiles.applyToProfile(event);
        return;
      case 'LinkifierAdded':
      case 'LinkifierChanged':
      case 'LinkifierRemoved':
      case 'LinkifiersReordered':
        this.linkifiers = linkifiersFold.evolve(this.linkifiers, event);
        return;
      case 'CustomEmojiAdded':
      case 'CustomEmojiDeactivated':
        this.customEmoji = customEmojiFold.evolve(this.customEmoji, event);
        return;
      case 'UserFirstLoggedIn':
      case 'UserRenamed':
      case 'UserEmailChanged':
      case 'UserAvatarChanged':
      case 'UserAvatarRemoved':
      case 'UserPasswordChanged':
      case 'UserRoleChanged':
      case 'BotOwnerChanged':
      case 'BotDefaultsChanged':
      case 'UserDeactivated':
      case 'UserReactivated':
      case 'ApiKeyRegenerated':
        this.putUser(evolveUser(this.user(event.data.userId), event));
        return;
      case 'PersonErased':
        this.forget(event.data.userId);
        return;
      case 'UserGroupCreated':
      case 'UserGroupMembersChanged':
      case 'UserGroupSubgroupsChanged':
      case 'UserGroupRenamed':
      case 'UserGroupDescriptionChanged':
      case 'UserGroupPermissionsChanged':
      case 'UserGroupDeactivated':
      case 'UserGroupReactivated':
        this.putGroup(evolveUserGroup(this.group(event.data.groupId), event));
        return;
      case 'ChannelFolderCreated':
      case 'ChannelFolderRenamed':
      case 'ChannelFolderDescriptionChanged':
      case 'ChannelFolderArchived':
      case 'ChannelFolderUnarchived':
      case 'ChannelFoldersReordered':
        this.channelFolders = channelFoldersFold.evolve(this.channelFolders, event);
        return;
      case 'ChannelCreated':
        this.putChannel(evolveChannel(null, event));
        this.applySubscribing(event);
        return;
      case 'UsersSubscribed':
      case 'UsersUnsubscribed':
      case 'SubscriptionPropertyChanged':
        this.applySubscribing(event);
        return;
      default:
        this.putChannel(evolveChannel(this.channel(event.data.channelId), event));
    }
  }

  /** By account; who never said anything has none. */
  get statuses(): ReadonlyMap<number, Status> {
    return this.statusByUser;
  }

  user(id: number): User | null {
    return this.usersById.get(id) ?? null;
  }

  /** By the keyed digest of an address (see the vault). */
  userByEmailDigest(digest: string): User | null {
    const id = this.userIdByEmailDigest.get(digest);
    return id === undefined ? null : this.user(id);
  }

  /** Everyone of that name, whatever its case. */
  *usersByName(name: string): Iterable<User> {
    for (const id of this.userNames.find(name)) {
      const user = this.user(id);
      if (user !== null) yield user;
    }
  }

  users(): Iterable<User> {
    return this.usersById.values();
  }

  group(id: number): UserGroup | null {
    return this.groupsById.get(id) ?? null;
  }

  /** Group names are spelled exactly. */
  groupByName(name: string): UserGroup | null {
    for (const id of this.groupNames.find(name)) {
      const group = this.group(id);
      if (group?.name === name) return group;
    }
    return null;
  }

  groups(): Iterable<UserGroup> {
    return this.groupsById.values();
  }

  channel(id: number): Channel | null {
    return this.channelsById.get(id) ?? null;
  }

  /** Names ignore case. */
  channelByName(name: string): Channel | null {
    for (const id of this.channelNames.find(name)) return this.channel(id);
    return null;
  }

  channels(): Iterable<Channel> {
    return this.channelsById.values();
  }

  /** Also of one who left: see {@link isSubscribed}. */
  subscription(channelId: number, userId: number): Subscription | null {
    return this.subscriptionsByChannel.get(channelId)?.get(userId) ?? null;
  }

  /** Everyone who is or was subscribed to the channel. */
  subscriptionsOf(channelId: number): Iterable<Subscription> {
    return this.subscriptionsByChannel.get(channelId)?.values() ?? [];
  }

  /** Every channel that the person is or was subscribed to. */
  *subscriptionsOfUser(userId: number): Iterable<Subscription> {
    for (const channelId of this.channelIdsByUser.get(userId) ?? []) {
      const subscription = this.subscription(channelId, userId);
      if (subscription !== null) yield subscription;
    }
  }

  /** Ids of the active accounts that are subscribed now, rising. */
  subscriberIds(channelId: number): number[] {
    return [...this.activeSubscriberIds(channelId)].sort((a, b) => a - b);
  }

  /** How many active accounts are subscribed now. */
  subscriberCount(channelId: number): number {
    let count = 0;
    for (const _id of this.activeSubscriberIds(channelId)) count += 1;
    return count;
  }

  private *activeSubscriberIds(channelId: number): Iterable<number> {
    for (const subscription of this.subscriptionsOf(channelId)) {
      if (isSubscribed(subscription) && this.user(subscription.userId)?.isActive === true) {
        yield subscription.userId;
      }
    }
  }

  private applySubscribing(event: RecordedEvent<SubscribingEvent>): void {
    for (const userId of subscribersIn(event)) {
      this.putSubscription(
        evolveSubscription(this.subscription(event.data.channelId, userId), event, userId),
      );
    }
  }

  /** The records come to what the log tells of the person without their key. */
  private forget(userId: number): void {
    const user = this.user(userId);
    if (user !== null) this.putUser(erasedUser(user));
    const status = this.statusByUser.get(userId);
    if (status !== undefined) this.statusByUser.set(userId, { ...status, text: '' });
    this.profiles.forget(userId);
  }

  private putUser(user: User | null): void {
    if (user === null) return;
    const before = this.usersById.get(user.id);
    this.userNames.rename(user.id, before?.fullName ?? null, user.fullName);
    this.usersById.set(user.id, user);
    if (before !== undefined) this.userIdByEmailDigest.delete(before.emailDigest);
    this.userIdByEmailDigest.set(user.emailDigest, user.id);
  }

  private putGroup(group: UserGroup | null): void {
    if (group === null) return;
    this.groupNames.rename(group.id, this.groupsById.get(group.id)?.name ?? null, group.name);
    this.groupsById.set(group.id, group);
  }

  private putChannel(channel: Channel | null): void {
    if (channel === null) return;
    this.channelNames.rename(channel.id, this.channelsById.get(channel.id)?.name ?? null, channel.name);
    this.channelsById.set(channel.id, channel);
  }

  private putSubscription(subscription: Subscription | null): void {
    if (subscription === null) return;
    const { channelId, userId } = subscription;
    entry(this.subscriptionsByChannel, channelId, () => new Map()).set(userId, subscription);
    entry(this.channelIdsByUser, userId, () => new Set()).add(channelId);
  }
}

function entry<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  let value = map.get(key);
  if (value === undefined) map.set(key, (value = make()));
  return value;
}
