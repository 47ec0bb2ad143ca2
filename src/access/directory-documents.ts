import type { Channel } from './records/channel.js';
import type { ChannelFolders } from './records/channel-folders.js';
import type { Subscription } from './records/subscription.js';
import type { CustomEmojiSet } from './records/custom-emoji.js';
import type { Linkifiers } from './records/linkifiers.js';
import type { Organization } from './records/organization.js';
import type { Profile } from './records/profile.js';
import type { ProfileFields } from './records/profile-fields.js';
import type { PersonalSettings, SettingDefaults } from './records/personal-settings.js';
import type { Status } from './records/status.js';
import type { UserGroup } from './records/user-group.js';
import type { User } from './records/user.js';

/** What each collection of the model `directory` holds. */
export interface DirectoryCollections {
  readonly organization: Organization;
  readonly users: User;
  /** One for everyone for whom something else than the initial settings holds, or once held. */
  readonly user_settings: PersonalSettings;
  readonly setting_defaults: SettingDefaults;
  readonly statuses: Status;
  readonly profile_fields: ProfileFields;
  /** One for everyone who ever filled in a field. */
  readonly profiles: Profile;
  readonly linkifiers: Linkifiers;
  readonly custom_emoji: CustomEmojiSet;
  readonly user_groups: UserGroup;
  readonly channels: Channel;
  readonly channel_folders: ChannelFolders;
  /** One for every person who is or was subscribed to a channel. */
  readonly subscriptions: Subscription;
  /** How many events the model reflects: a reader sees by it whether the model changed while it was read. */
  readonly edition: Edition;
}

/** How often the model has changed. */
export interface Edition {
  readonly events: number;
}

/** The organization is one document. */
export const organizationDocumentId = 'organization';

/** What an organization chose for new accounts is one document. */
export const settingDefaultsDocumentId = 'defaults';

/** The fields of the profiles are one document. */
export const profileFieldsDocumentId = 'profile_fields';

/** The channel folders are one document. */
export const channelFoldersDocumentId = 'channel_folders';

/** The linkifiers are one document, and so are the custom emoji. */
export const linkifiersDocumentId = 'linkifiers';
export const customEmojiDocumentId = 'custom_emoji';

/** The edition is one document. */
export const editionDocumentId = 'directory';

/** Key of a person's subscription to a channel. */
export function subscriptionDocumentId(channelId: number, userId: number): string {
  return `${channelId}:${userId}`;
}
