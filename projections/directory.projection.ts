import { directoryModel } from '../src/access/read-model.js';
import {
  ChannelArchived,
  ChannelCreated,
  ChannelDescriptionChanged,
  ChannelPermissionsChanged,
  ChannelPrivacyChanged,
  ChannelPropertiesChanged,
  ChannelRenamed,
  ChannelUnarchived,
} from '../src/events/channels.js';
import { subscriptionEvents } from '../src/events/subscriptions.js';
import { channelFolderEvents } from '../src/events/channel-folders.js';
import {
  CUSTOM_EMOJI_DOCUMENT_ID,
  LINKIFIERS_DOCUMENT_ID,
  ORGANIZATION_DOCUMENT_ID,
  PROFILE_FIELDS_DOCUMENT_ID,
  SETTING_DEFAULTS_DOCUMENT_ID,
} from '../src/access/directory-documents.js';
import { customEmojiFold, noCustomEmoji, type CustomEmojiSet } from '../src/access/records/custom-emoji.js';
import { customEmojiEvents, type CustomEmojiEvent } from '../src/events/custom-emoji.js';
import type { Recorded, RecordedEvent } from '../src/kernel/event.js';
import { handlers } from '../src/kernel/event-handlers.js';
import { linkifierEvents, type LinkifierEvent } from '../src/events/linkifiers.js';
import { linkifiersFold, noLinkifiers, type Linkifiers } from '../src/access/records/linkifiers.js';
import { organizationEvents, type OrganizationEvent } from '../src/events/organization.js';
import { organizationFold, type Organization } from '../src/access/records/organization.js';
import {
  ProfileDataChanged,
  profileFieldEvents,
  type ProfileFieldEvent,
} from '../src/events/profile-fields.js';
import { evolveProfile, type Profile } from '../src/access/records/profiles.js';
import {
  noProfileFields,
  profileFieldsFold,
  type ProfileFields,
} from '../src/access/records/profile-fields.js';
import type { Keyed } from '../src/stores/read-store/port.js';
import {
  UserSettingAssigned,
  UserSettingChanged,
  UserSettingDefaultChanged,
} from '../src/events/settings.js';
import {
  evolvePersonalSettings,
  evolveSettingDefaults,
  noDefaults,
  peopleIn,
  settingsOfNewAccount,
  type PersonalSettingEvent,
  type PersonalSettings,
  type SettingDefaults,
} from '../src/access/records/personal-settings.js';
import { statusEvents, type StatusEvent } from '../src/events/statuses.js';
import { evolveStatus, type Status } from '../src/access/records/status.js';
import {
  UserDeactivated,
  UserDeactivationNoticeRequested,
  UserDeletionRequested,
  UserReactivated,
} from '../src/events/deactivation.js';
import {
  ApiKeyRegenerated,
  ApiKeyRevoked,
  UserAvatarChanged,
  UserAvatarRemoved,
  UserEmailChanged,
  UserFirstLoggedIn,
  UserPasswordChanged,
  UserRegistered,
  UserRenamed,
  UserRoleChanged,
  type UserEvent,
} from '../src/events/users.js';
import { BotDefaultsChanged, BotServiceChanged, BotOwnerChanged } from '../src/events/bots.js';
import { userGroupEvents, type UserGroupEvent } from '../src/events/user-groups.js';
import { evolveUser, type User } from '../src/access/records/user.js';
import { evolveUserGroup, type UserGroup } from '../src/access/records/user-group.js';
import {
  on,
  type BatchedHandler,
  type Change,
  type DocumentReference,
  type LoadedDocuments,
  type Projection,
} from './engine/projection.js';
import { evolving } from './evolving-records.js';
import { channelWithSubscriptions, channel, channelFolders, subscriptions } from './channel-records.js';

const organization = evolving((event: RecordedEvent<OrganizationEvent>) => [
  {
    at: { collection: 'organization', id: ORGANIZATION_DOCUMENT_ID },
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
  id: SETTING_DEFAULTS_DOCUMENT_ID,
};

/** A new account begins with the settings that the organization has configured at that time. */
const registration: BatchedHandler<Recorded<typeof UserRegistered>> = {
  reads: (event) => [...(user.reads?.(event) ?? []), settingDefaultsReference],
  apply: (event, documents) => [...user.apply(event, documents), ...firstSettings(event, documents)],
};

const settings = evolving((event: RecordedEvent<PersonalSettingEvent>) =>
  peopleIn(event).map((userId) => ({
    at: { collection: 'user_settings', id: userId },
    evolve: (record: PersonalSettings | null) => evolvePersonalSettings(record, event, userId),
  })),
);

const settingDefaults = evolving((event: Recorded<typeof UserSettingDefaultChanged>) => [
  {
    at: settingDefaultsReference,
    evolve: (record: SettingDefaults | null) => evolveSettingDefaults(record ?? noDefaults, event),
  },
]);

const profileFields = evolving((event: RecordedEvent<ProfileFieldEvent>) => [
  {
    at: { collection: 'profile_fields', id: PROFILE_FIELDS_DOCUMENT_ID },
    evolve: (record: ProfileFields | null) => profileFieldsFold.evolve(record ?? noProfileFields, event),
  },
]);

const profile = evolving((event: Recorded<typeof ProfileDataChanged>) => [
  {
    at: { collection: 'profiles', id: event.data.userId },
    evolve: (record: Profile | null) => evolveProfile(record, event),
  },
]);

const linkifiers = evolving((event: RecordedEvent<LinkifierEvent>) => [
  {
    at: { collection: 'linkifiers', id: LINKIFIERS_DOCUMENT_ID },
    evolve: (record: Linkifiers | null) => linkifiersFold.evolve(record ?? noLinkifiers, event),
  },
]);

const customEmoji = evolving((event: RecordedEvent<CustomEmojiEvent>) => [
  {
    at: { collection: 'custom_emoji', id: CUSTOM_EMOJI_DOCUMENT_ID },
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

/** Who exists and who may do what. Every node loads it from here when it starts, and then keeps it in memory. */
export const directoryProjection: Projection = {
  ...directoryModel,
  on: handlers(
    on(organizationEvents, organization),
    on(UserRegistered, registration),
    on(
      [
        UserFirstLoggedIn,
        UserRenamed,
        UserEmailChanged,
        UserAvatarChanged,
        UserAvatarRemoved,
        UserPasswordChanged,
        UserRoleChanged,
        BotOwnerChanged,
        BotDefaultsChanged,
        BotServiceChanged,
        UserDeactivated,
        UserDeletionRequested,
        UserDeactivationNoticeRequested,
        UserReactivated,
        ApiKeyRegenerated,
        ApiKeyRevoked,
      ],
      user,
    ),
    on([UserSettingChanged, UserSettingAssigned], settings),
    on(UserSettingDefaultChanged, settingDefaults),
    on(statusEvents, status),
    on(profileFieldEvents, profileFields),
    on(ProfileDataChanged, profile),
    on(linkifierEvents, linkifiers),
    on(customEmojiEvents, customEmoji),
    on(userGroupEvents, userGroup),
    on(ChannelCreated, channelWithSubscriptions),
    on(
      [
        ChannelRenamed,
        ChannelDescriptionChanged,
        ChannelPrivacyChanged,
        ChannelPermissionsChanged,
        ChannelPropertiesChanged,
        ChannelArchived,
        ChannelUnarchived,
      ],
      channel,
    ),
    on(channelFolderEvents, channelFolders),
    on(subscriptionEvents, subscriptions),
  ),
};

function firstSettings(
  { data: { userId } }: Recorded<typeof UserRegistered>,
  documents: LoadedDocuments,
): readonly Change[] {
  const { collection, id } = settingDefaultsReference;
  const chosen = documents.get<Keyed & SettingDefaults>(collection, id)?.chosen ?? noDefaults.chosen;
  const first = settingsOfNewAccount(userId, { chosen });
  return first === null ? [] : [{ collection: 'user_settings', put: { ...first, _id: userId } }];
}
