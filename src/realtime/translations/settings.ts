import type { Directory } from '../../directory/directory.js';
import { apiEmail } from '../../directory/email-visibility.js';
import { languages } from '../../settings/languages.js';
import { unseen } from '../../presence/presence.js';
import type { SettingEvent } from '../../settings/events.js';
import { addressNotices, personNotice } from './addresses.js';
import type { User } from '../../users/user.js';
import { presenceNotices } from './presence.js';
import type { ClientEvent } from '../client-event.js';
import type { Notice, Scene, Translations } from '../translation.js';

/** What people set for themselves, and what is set for new accounts. */
export const settingTranslations: Translations<SettingEvent> = {
  UserSettingChanged: {
    notices: ({ data: { userId, setting, value } }, scene) =>
      settingNotices([userId], { setting, value }, scene),
  },
  UserSettingAssigned: {
    notices: ({ data: { userIds, setting, value } }, scene) =>
      settingNotices(userIds, { setting, value }, scene),
  },
  UserSettingDefaultChanged: {
    notices: ({ data: { setting: property, value } }) => [
      { to: 'everyone', event: { type: 'realm_user_settings_defaults', op: 'update', property, value } },
    ],
  },
};

function settingEvent(property: string, value: unknown): ClientEvent {
  const name = property === 'default_language' ? { language_name: languageName(value) } : {};
  return { type: 'user_settings', op: 'update', property, value, ...name };
}

function languageName(code: unknown): string {
  return (languages as Readonly<Record<string, string>>)[String(code)] ?? String(code);
}

/** Some settings are shown to others as part of the account. */
function settingNotices(
  userIds: readonly number[],
  { setting, value }: { readonly setting: string; readonly value: unknown },
  { moment }: Scene,
): readonly Notice[] {
  const { directory } = moment;
  const users = userIds.flatMap((id) => directory.user(id) ?? []);
  return [
    { to: userIds, event: settingEvent(setting, value) },
    ...(setting === 'presence_enabled' && value === false
      ? userIds.flatMap((userId) => presenceNotices(unseen(userId, moment.now), moment))
      : []),
    ...(setting === 'timezone' ? users.map((user) => personNotice(user, timeZoneOf(user, directory))) : []),
    ...(setting === 'email_address_visibility'
      ? users.flatMap((user) => addressNotices(user, directory))
      : []),
  ];
}

function timeZoneOf(user: User, directory: Directory): object {
  return { email: apiEmail(directory, user), timezone: directory.settings.value(user.id, 'timezone') };
}
