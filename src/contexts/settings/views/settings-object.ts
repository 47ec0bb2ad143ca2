import { notificationSounds } from '../../../events/values/notification-sounds.js';
import type { UserSettings } from '../../../events/values/setting-table.js';

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
