import type { Channel } from './records/channel.js';
import { noChannelFolders, type ChannelFolders } from './records/channel-folders.js';
import type { Subscription } from './records/subscription.js';
import { noCustomEmoji, type CustomEmojiSet } from './records/custom-emoji.js';
import { noLinkifiers, type Linkifiers } from './records/linkifiers.js';
import type { Organization } from './records/organization.js';
import { Profiles, type Profile } from './records/profiles.js';
import type { ProfileFields } from './records/profile-fields.js';
import type { PersonalSettings, SettingDefaults } from './records/personal-settings.js';
import type { Status } from './records/status.js';
import type { UserGroup } from './records/user-group.js';
import type { User } from './records/user.js';
import { NamedRecords, People } from './named-records.js';
import { PeopleSettings } from './people-settings.js';
import { Subscriptions } from './subscriptions.js';

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

/** The records of a directory in memory, indexed. */
export interface IndexedRecords {
  organization: Organization | null;
  readonly people: People;
  readonly settings: PeopleSettings;
  /** By account. */
  readonly statuses: Map<number, Status>;
  readonly profiles: Profiles;
  linkifiers: Linkifiers;
  customEmoji: CustomEmojiSet;
  readonly groups: NamedRecords<UserGroup>;
  readonly channels: NamedRecords<Channel>;
  channelFolders: ChannelFolders;
  readonly subscriptions: Subscriptions;
}

/** @param records null: an empty directory */
export function indexRecords(records: DirectoryRecords | null): IndexedRecords {
  const indexed: IndexedRecords = {
    organization: records?.organization ?? null,
    people: new People(),
    settings: new PeopleSettings(),
    statuses: new Map(records?.statuses.map((status) => [status.userId, status])),
    profiles: new Profiles(records?.profileFields ?? undefined, records?.profiles),
    linkifiers: records?.linkifiers ?? noLinkifiers,
    customEmoji: records?.customEmoji ?? noCustomEmoji,
    groups: new NamedRecords(({ name }) => name),
    channels: new NamedRecords(({ name }) => name),
    channelFolders: records?.channelFolders ?? noChannelFolders,
    subscriptions: new Subscriptions(),
  };
  if (records === null) return indexed;
  records.users.forEach((user) => indexed.people.put(user));
  records.settings.forEach((settings) => indexed.settings.put(settings));
  indexed.settings.defaults = records.settingDefaults ?? indexed.settings.defaults;
  records.groups.forEach((group) => indexed.groups.put(group));
  records.channels.forEach((channel) => indexed.channels.put(channel));
  records.subscriptions.forEach((subscription) => indexed.subscriptions.put(subscription));
  return indexed;
}

/** The inverse of {@link indexRecords}. */
export function listRecords(indexed: IndexedRecords): DirectoryRecords {
  return {
    organization: indexed.organization,
    users: [...indexed.people.all()],
    settings: [...indexed.settings.all()],
    settingDefaults: indexed.settings.defaults,
    statuses: [...indexed.statuses.values()],
    profileFields: indexed.profiles.fields,
    profiles: [...indexed.profiles.all()],
    linkifiers: indexed.linkifiers,
    customEmoji: indexed.customEmoji,
    groups: [...indexed.groups.all()],
    channels: [...indexed.channels.all()],
    channelFolders: indexed.channelFolders,
    subscriptions: [...indexed.subscriptions.all()],
  };
}
