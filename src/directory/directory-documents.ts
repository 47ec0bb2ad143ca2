import type { Channel } from '../channels/channel.js';
import type { ChannelFolders } from '../channels/folders/channel-folders.js';
import type { Subscription } from '../channels/subscription.js';
import type { CustomEmojiSet } from '../emoji/custom-emoji.js';
import type { Linkifiers } from '../linkifiers/linkifiers.js';
import type { Organization } from '../organization/organization.js';
import type { Profile } from '../profiles/profile.js';
import type { ProfileFields } from '../profiles/profile-fields.js';
import type { PersonalSettings, SettingDefaults } from '../settings/personal-settings.js';
import type { Status } from '../statuses/status.js';
import type { UserGroup } from '../users/user-group.js';
import type { User } from '../users/user.js';

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
