import notificationSounds from '../../events/values/data/notification-sounds.json' with { type: 'json' };
import type { SettingName, UserSettings } from '../../events/values/setting-table.js';

/**
 * The two kinds of settings for clients without support for `user_settings`, which know no setting that was
 * added later.
 */
export type OlderKind = 'display' | 'notification';

const display: ReadonlySet<SettingName> = new Set<SettingName>([
  'color_scheme',
  'default_language',
  'web_home_view',
  'demote_inactive_streams',
  'emojiset',
  'enable_drafts_synchronization',
  'enter_sends',
  'fluid_layout_width',
  'high_contrast_mode',
  'left_side_userlist',
  'starred_message_counts',
  'translate_emoticons',
  'twenty_four_hour_time',
  'timezone',
]);

const notification: ReadonlySet<SettingName> = new Set<SettingName>([
  'desktop_icon_count_display',
  'email_notifications_batching_period_seconds',
  'enable_desktop_notifications',
  'enable_digest_emails',
  'enable_login_emails',
  'enable_marketing_emails',
  'enable_offline_email_notifications',
  'enable_offline_push_notifications',
  'enable_online_push_notifications',
  'enable_sounds',
  'enable_stream_audible_notifications',
  'enable_stream_desktop_notifications',
  'enable_stream_email_notifications',
  'enable_stream_push_notifications',
  'message_content_in_email_notifications',
  'notification_sound',
  'pm_content_in_desktop_notifications',
  'presence_enabled',
  'wildcard_mentions_notify',
]);

/** The kind of a setting; null: older clients do not know it. */
export function olderKindOf(name: SettingName): OlderKind | null {
  if (display.has(name)) return 'display';
  return notification.has(name) ? 'notification' : null;
}

/** The emoji sets, with their names for clients. */
const emojiSets = [
  { key: 'google', text: 'Google' },
  { key: 'twitter', text: 'Twitter' },
  { key: 'text', text: 'Plain text' },
] as const;

/** The values that clients offer for some settings. */
interface SettingChoices {
  readonly emojiset_choices: readonly { readonly key: string; readonly text: string }[];
  readonly available_notification_sounds: readonly string[];
}

const choices: SettingChoices = {
  emojiset_choices: emojiSets,
  available_notification_sounds: notificationSounds,
};

/** A person's settings in the API. */
export type SettingsObject = UserSettings & SettingChoices;

/** Formats a person's settings for the API. */
export function settingsObject(settings: UserSettings): SettingsObject {
  return { ...settings, ...choices };
}

/** The settings of new accounts in the API. */
export type SettingDefaultsObject = Omit<UserSettings, 'timezone'> & SettingChoices;

/** Formats the settings of new accounts for the API; they have no time zone. */
export function settingDefaultsObject({
  timezone: _timezone,
  ...settings
}: UserSettings): SettingDefaultsObject {
  return { ...settings, ...choices };
}
