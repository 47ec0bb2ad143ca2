import { evolveChannel, type Channel } from '../src/channels/channel.js';
import type { ChannelDirectoryEvent } from '../src/channels/events.js';
import {
  channelFoldersFold,
  noChannelFolders,
  type ChannelFolders,
} from '../src/channels/folders/channel-folders.js';
import type { ChannelFolderEvent } from '../src/channels/folders/events.js';
import {
  evolveSubscription,
  subscribersIn,
  type SubscribingEvent,
  type Subscription,
} from '../src/channels/subscription.js';
import {
  channelFoldersDocumentId,
  customEmojiDocumentId,
  editionDocumentId,
  linkifiersDocumentId,
  organizationDocumentId,
  profileFieldsDocumentId,
  settingDefaultsDocumentId,
  subscriptionDocumentId,
  type Edition,
} from '../src/directory/directory-documents.js';
import { customEmojiFold, noCustomEmoji, type CustomEmojiSet } from '../src/emoji/custom-emoji.js';
import type { CustomEmojiEvent } from '../src/emoji/events.js';
import type { EventOf, RecordedEvent } from '../src/kernel/event.js';
import type { LinkifierEvent } from '../src/linkifiers/events.js';
import { linkifiersFold, noLinkifiers, type Linkifiers } from '../src/linkifiers/linkifiers.js';
import { RENDERER_VERSION } from '../src/messages/markdown/render.js';
import type { OrganizationEvent } from '../src/organization/events.js';
import { organizationFold, type Organization } from '../src/organization/organization.js';
import type { ProfileDataChanged, ProfileFieldEvent } from '../src/profiles/events.js';
import { evolveProfile, type Profile } from '../src/profiles/profile.js';
import { noProfileFields, profileFieldsFold, type ProfileFields } from '../src/profiles/profile-fields.js';
import type { Keyed } from '../src/read-store/port.js';
import type { UserSettingDefaultChanged } from '../src/settings/events.js';
import {
  evolvePersonalSettings,
  evolveSettingDefaults,
  noDefaults,
  peopleIn,
  settingsOfNewAccount,
  type PersonalSettingEvent,
  type PersonalSettings,
  type SettingDefaults,
} from '../src/settings/personal-settings.js';
import type { StatusEvent } from '../src/statuses/events.js';
import { evolveStatus, type Status } from '../src/statuses/status.js';
import type { UserEvent, UserRegistered } from '../src/users/events.js';
import type { UserGroupEvent } from '../src/users/group-events.js';
import { evolveUser, type User } from '../src/users/user.js';
import { evolveUserGroup, type UserGroup } from '../src/users/user-group.js';
import type {
  BatchedHandler,
  Change,
  DocumentReference,
  LoadedDocuments,
  Projection,
} from './engine/projection.js';

type Registered = RecordedEvent<EventOf<typeof UserRegistered>>;

/** Where a record is kept, and what an event makes of it. */
interface Evolution {
  readonly at: DocumentReference;
  readonly evolve: (record: never) => object | null;
}

const organization = evolving((event: RecordedEvent<OrganizationEvent>) => [
  {
    at: { collection: 'organization', id: organizationDocumentId },
    evolve: (record: Organization | null) => organizationFold.evolve(record, event),
  },
]);

const user = evolving((event: RecordedEvent<UserEvent>) => [
  {
    at: { collection: 'users', id: event.data.userId },
    evolve: (record: User | null) => evolveUser(record, event),
  },
]);

const settingDefaultsReference: DocumentReference = {
  collection: 'setting_defaults',
  id: settingDefaultsDocumentId,
};

/** A new account begins with the settings that the organization has chosen by then. */
const registration: BatchedHandler = {
  reads: (event) => [...(user.reads?.(event) ?? []), settingDefaultsReference],
  apply: (event, documents) => [
    ...user.apply(event, documents),
    ...firstSettings(event as Registered, documents),
  ],
};

const settings = evolving((event: RecordedEvent<PersonalSettingEvent>) =>
  peopleIn(event).map((userId) => ({
    at: { collection: 'user_settings', id: userId },
    evolve: (record: PersonalSettings | null) => evolvePersonalSettings(record, event, userId),
  })),
);

const settingDefaults = evolving((event: RecordedEvent<EventOf<typeof UserSettingDefaultChanged>>) => [
  {
    at: settingDefaultsReference,
    evolve: (record: SettingDefaults | null) => evolveSettingDefaults(record ?? noDefaults, event),
  },
]);

const profileFields = evolving((event: RecordedEvent<ProfileFieldEvent>) => [
  {
    at: { collection: 'profile_fields', id: profileFieldsDocumentId },
    evolve: (record: ProfileFields | null) => profileFieldsFold.evolve(record ?? noProfileFields, event),
  },
]);

const profile = evolving((event: RecordedEvent<EventOf<typeof ProfileDataChanged>>) => [
  {
    at: { collection: 'profiles', id: event.data.userId },
    evolve: (record: Profile | null) => evolveProfile(record, event),
  },
]);

const linkifiers = evolving((event: RecordedEvent<LinkifierEvent>) => [
  {
    at: { collection: 'linkifiers', id: linkifiersDocumentId },
    evolve: (record: Linkifiers | null) => linkifiersFold.evolve(record ?? noLinkifiers, event),
  },
]);

const customEmoji = evolving((event: RecordedEvent<CustomEmojiEvent>) => [
  {
    at: { collection: 'custom_emoji', id: customEmojiDocumentId },
    evolve: (record: CustomEmojiSet | null) => customEmojiFold.evolve(record ?? noCustomEmoji, event),
  },
]);

const status = evolving((event: RecordedEvent<StatusEvent>) => [
  {
    at: { collection: 'statuses', id: event.data.userId },
    evolve: (record: Status | null) => evolveStatus(record, event),
  },
]);

const userGroup = evolving((event: RecordedEvent<UserGroupEvent>) => [
  {
    at: { collection: 'user_groups', id: event.data.groupId },
    evolve: (record: UserGroup | null) => evolveUserGroup(record, event),
  },
]);

const channel = evolving((event: RecordedEvent<ChannelDirectoryEvent>) => [channelOf(event)]);

const channelFolders = evolving((event: RecordedEvent<ChannelFolderEvent>) => [
  {
    at: { collection: 'channel_folders', id: channelFoldersDocumentId },
    evolve: (record: ChannelFolders | null) => channelFoldersFold.evolve(record ?? noChannelFolders, event),
  },
]);

const subscriptions = evolving((event: RecordedEvent<SubscribingEvent>) => subscriptionsOf(event));

const channelWithSubscriptions = evolving(
  (event: RecordedEvent<Extract<ChannelDirectoryEvent, { type: 'ChannelCreated' }>>) => [
    channelOf(event),
    ...subscriptionsOf(event),
  ],
);

/** The version of the records' shape; the renderer's own version counts with it, because profiles hold Markdown. */
const shapeVersion = 11;

/** Who exists and who may do what: what every node holds in memory, and loads from here when it starts. */
export const directoryProjection: Projection = {
  name: 'directory',
  version: shapeVersion * 1000 + RENDERER_VERSION,
  collections: [
    { name: 'organization', indexes: [] },
    { name: 'users', indexes: [] },
    { name: 'user_settings', indexes: [] },
    { name: 'setting_defaults', indexes: [] },
    { name: 'statuses', indexes: [] },
    { name: 'profile_fields', indexes: [] },
    { name: 'profiles', indexes: [] },
    { name: 'linkifiers', indexes: [] },
    { name: 'custom_emoji', indexes: [] },
    { name: 'user_groups', indexes: [] },
    { name: 'channels', indexes: [] },
    { name: 'channel_folders', indexes: [] },
    { name: 'subscriptions', indexes: [] },
    { name: 'edition', indexes: [] },
  ],
  on: {
    OrganizationCreated: organization,
    OrganizationSettingsChanged: organization,
    OrganizationPermissionsChanged: organization,
    DomainAllowed: organization,
    AllowedDomainChanged: organization,
    AllowedDomainRemoved: organization,
    CodePlaygroundAdded: organization,
    CodePlaygroundRemoved: organization,

    UserRegistered: registration,
    UserFirstLoggedIn: user,
    UserRenamed: user,
    UserEmailChanged: user,
    UserAvatarChanged: user,
    UserAvatarRemoved: user,
    UserPasswordChanged: user,
    UserRoleChanged: user,
    BotOwnerChanged: user,
    BotDefaultsChanged: user,
    UserDeactivated: user,
    UserReactivated: user,
    ApiKeyRegenerated: user,

    UserSettingChanged: settings,
    UserSettingAssigned: settings,
    UserSettingDefaultChanged: settingDefaults,
    UserStatusChanged: status,

    ProfileFieldCreated: profileFields,
    ProfileFieldChanged: profileFields,
    ProfileFieldsReordered: profileFields,
    ProfileFieldDeleted: profileFields,
    ProfileDataChanged: profile,

    LinkifierAdded: linkifiers,
    LinkifierChanged: linkifiers,
    LinkifierRemoved: linkifiers,
    LinkifiersReordered: linkifiers,

    CustomEmojiAdded: customEmoji,
    CustomEmojiDeactivated: customEmoji,

    UserGroupCreated: userGroup,
    UserGroupMembersChanged: userGroup,
    UserGroupSubgroupsChanged: userGroup,
    UserGroupRenamed: userGroup,
    UserGroupDescriptionChanged: userGroup,
    UserGroupPermissionsChanged: userGroup,
    UserGroupDeactivated: userGroup,
    UserGroupReactivated: userGroup,

    ChannelCreated: channelWithSubscriptions,
    ChannelRenamed: channel,
    ChannelDescriptionChanged: channel,
    ChannelPrivacyChanged: channel,
    ChannelPermissionsChanged: channel,
    ChannelPropertiesChanged: channel,
    ChannelArchived: channel,
    ChannelUnarchived: channel,

    ChannelFolderCreated: channelFolders,
    ChannelFolderRenamed: channelFolders,
    ChannelFolderDescriptionChanged: channelFolders,
    ChannelFolderArchived: channelFolders,
    ChannelFolderUnarchived: channelFolders,
    ChannelFoldersReordered: channelFolders,

    UsersSubscribed: subscriptions,
    UsersUnsubscribed: subscriptions,
    SubscriptionPropertyChanged: subscriptions,
  },
};

function firstSettings({ data: { userId } }: Registered, documents: LoadedDocuments): readonly Change[] {
  const { collection, id } = settingDefaultsReference;
  const chosen = documents.get<Keyed & SettingDefaults>(collection, id)?.chosen ?? noDefaults.chosen;
  const first = settingsOfNewAccount(userId, { chosen });
  return first === null ? [] : [{ collection: 'user_settings', put: { ...first, _id: userId } }];
}

function channelOf(event: RecordedEvent<ChannelDirectoryEvent>): Evolution {
  return {
    at: { collection: 'channels', id: event.data.channelId },
    evolve: (record: Channel | null) => evolveChannel(record, event),
  };
}

function subscriptionsOf(event: RecordedEvent<SubscribingEvent>): Evolution[] {
  return subscribersIn(event).map((userId) => ({
    at: { collection: 'subscriptions', id: subscriptionDocumentId(event.data.channelId, userId) },
    evolve: (record: Subscription | null) => evolveSubscription(record, event, userId),
  }));
}

const edition: DocumentReference = { collection: 'edition', id: editionDocumentId };

/** Loads each record, evolves it as memory does, and puts it back. */
function evolving<Event extends RecordedEvent>(
  evolutionsOf: (event: Event) => readonly Evolution[],
): BatchedHandler {
  return {
    reads: (event) => [...evolutionsOf(event as Event).map(({ at }) => at), edition],
    apply: (event, documents) => [
      ...evolutionsOf(event as Event).flatMap((evolution) => evolved(evolution, documents)),
      nextEdition(documents),
    ],
  };
}

function evolved(
  { at: { collection, id }, evolve }: Evolution,
  documents: LoadedDocuments,
): readonly Change[] {
  const document = documents.get<Keyed>(collection, id);
  const record = evolve((document && recordOf(document)) as never);
  return record === null ? [] : [{ collection, put: { ...record, _id: id } }];
}

function recordOf({ _id, ...record }: Keyed): object {
  return record;
}

function nextEdition(documents: LoadedDocuments): Change {
  const { collection, id } = edition;
  const events = (documents.get<Keyed & Edition>(collection, id)?.events ?? 0) + 1;
  return { collection, put: { _id: id, events } };
}
