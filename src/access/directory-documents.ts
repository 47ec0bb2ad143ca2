import type { Keyed } from '../stores/read-store/port.js';
import type { Channel } from './records/channel.js';
import type { ChannelFolders } from './records/channel-folders.js';
import type { Subscription } from './records/subscription.js';
import type { CustomEmojiSet } from './records/custom-emoji.js';
import type { Linkifiers } from './records/linkifiers.js';
import type { Organization } from './records/organization.js';
import type { Profile } from './records/profiles.js';
import type { ProfileFields } from './records/profile-fields.js';
import type { PersonalSettings, SettingDefaults } from './records/personal-settings.js';
import type { Status } from './records/status.js';
import type { UserGroup } from './records/user-group.js';
import type { User } from './records/user.js';

/** The document type of each collection of the model `directory`. */
export interface DirectoryCollections {
  readonly organization: Organization;
  readonly users: User;
  /** Only people whose settings differ, or once differed, from the initial ones have a document. */
  readonly user_settings: PersonalSettings;
  readonly setting_defaults: SettingDefaults;
  readonly statuses: Status;
  readonly profile_fields: ProfileFields;
  /** Only people who ever filled in a field have a document. */
  readonly profiles: Profile;
  readonly linkifiers: Linkifiers;
  readonly custom_emoji: CustomEmojiSet;
  readonly user_groups: UserGroup;
  readonly channels: Channel;
  readonly channel_folders: ChannelFolders;
  /** One for each person and channel that they are or were subscribed to. */
  readonly subscriptions: Subscription;
  /** Number of events that the model includes: a reader compares it to detect a change while reading. */
  readonly edition: DirectoryRevision;
}

/** How often the model has changed. */
export interface DirectoryRevision {
  readonly events: number;
}

/** The only document about the organization. */
export const ORGANIZATION_DOCUMENT_ID = 'organization';

/** The only document about the organization's settings for new accounts. */
export const SETTING_DEFAULTS_DOCUMENT_ID = 'defaults';

/** The only document about the fields of profiles. */
export const PROFILE_FIELDS_DOCUMENT_ID = 'profile_fields';

/** The only document about channel folders. */
export const CHANNEL_FOLDERS_DOCUMENT_ID = 'channel_folders';

/** Ids of the only documents about linkifiers and custom emoji. */
export const LINKIFIERS_DOCUMENT_ID = 'linkifiers';
export const CUSTOM_EMOJI_DOCUMENT_ID = 'custom_emoji';

/** The only document with the edition. */
export const REVISION_DOCUMENT_ID = 'directory';

/** Id of a document about a person's subscription to a channel. */
export function subscriptionDocumentId(channelId: number, userId: number): string {
  return `${channelId}:${userId}`;
}

/** The record in a document: all but the document's id. */
export function recordOf({ _id, ...record }: Keyed): object {
  return record;
}
