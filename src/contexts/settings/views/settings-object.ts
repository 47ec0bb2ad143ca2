import { notificationSounds } from '../../../events/values/notification-sounds.js';
import type { UserSettings } from '../../../events/values/setting-table.js';

/** How emoji may look, with what clients call it. */
const emojiSets = [
  { key: 'google', text: 'Google' },
  { key: 'twitter', text: 'Twitter' },
  { key: 'text', text: 'Plain text' },
] as const;

/** What clients offer for the settings whose values have names. */
interface SettingChoices {
  readonly emojiset_choices: readonly { readonly key: string; readonly text: string }[];
  readonly available_notification_sounds: readonly string[];
}

const choices: SettingChoices = {
  emojiset_choices: emojiSets,
  available_notification_sounds: notificationSounds,
};

/** A person's settings as the API gives them (facts, section 3 of the events, `user_settings`). */
export type SettingsObject = UserSettings & SettingChoices;

/** A person's settings in the words of the API. */
export function settingsObject(settings: UserSettings): SettingsObject {
  return { ...settings, ...choices };
}

/** The settings of new accounts (the same place, `realm_user_settings_defaults`). */
export type SettingDefaultsObject = Omit<UserSettings, 'timezone'> & SettingChoices;

/** The settings of new accounts in the words of the API; they have no time zone. */
export function settingDefaultsObject({
  timezone: _timezone,
  ...settings
}: UserSettings): SettingDefaultsObject {
  return { ...settings, ...choices };
}
