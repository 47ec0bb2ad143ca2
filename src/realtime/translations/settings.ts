import type { Directory } from '../../directory/directory.js';
import { apiEmail } from '../../directory/email-visibility.js';
import { languages } from '../../settings/languages.js';
import { unseen } from '../../presence/presence.js';
import type { SettingEvent } from '../../settings/events.js';
import { addressNotices, personNotice } from './addresses.js';
import type { SettingName } from '../../settings/setting-table.js';
import { olderKindOf } from '../../settings/views/older-settings.js';
import type { User } from '../../users/user.js';
import { changesStatus } from './statuses.js';
import { presenceNotices } from './presence.js';
import type { ClientEvent } from '../client-event.js';
import { translation, type Notice, type Scene, type Translations } from '../translation.js';

/** What people set for themselves, and what is set for new accounts. */
export const settingTranslations: Translations<SettingEvent> = {
  UserSettingChanged: translation({
    read: ({ data: { userId, setting } }, models) =>
      Promise.resolve(setting === 'presence_enabled' ? models.presence(userId) : null),
    notices: ({ data: { userId, setting, value } }, scene) => [
      ...settingNotices([userId], { setting, value }, scene),
      ...(value === true && scene.read !== null ? presenceNotices(scene.read, scene.moment) : []),
    ],
  }),
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

interface SettingChange {
  readonly setting: SettingName;
  readonly value: unknown;
}

function settingEvent(property: string, value: unknown): ClientEvent {
  return { type: 'user_settings', op: 'update', property, value, ...languageMember(property, value) };
}

function languageMember(setting: string, value: unknown): object {
  return setting === 'default_language' ? { language_name: languageName(value) } : {};
}

/** Clients that do not know that all settings are one thing are told of a change the way they know as well. */
function olderNotices(
  users: readonly User[],
  { setting, value }: SettingChange,
  directory: Directory,
): readonly Notice[] {
  const kind = olderKindOf(setting);
  if (kind === null) return [];
  return users.map((user) => {
    const common = { user: apiEmail(directory, user), setting: value };
    const event =
      kind === 'display'
        ? {
            type: 'update_display_settings',
            ...common,
            setting_name: setting,
            ...languageMember(setting, value),
          }
        : { type: 'update_global_notifications', ...common, notification_name: setting };
    return {
      to: [user.id],
      event: ({ options }) => (options.capabilities.user_settings_object ? null : event),
    };
  });
}

function languageName(code: unknown): string {
  return (languages as Readonly<Record<string, string>>)[String(code)] ?? String(code);
}

/** Some settings are shown to others as part of the account. */
function settingNotices(
  userIds: readonly number[],
  { setting, value }: SettingChange,
  { moment, appended }: Scene,
): readonly Notice[] {
  const { directory } = moment;
  const users = userIds.flatMap((id) => directory.user(id) ?? []);
  return [
    { to: userIds, event: settingEvent(setting, value) },
    ...olderNotices(users, { setting, value }, directory),
    ...(setting === 'presence_enabled' && value === false
      ? userIds.flatMap((userId) => presenceNotices(unseen(userId, moment.now), moment))
      : []),
    // Older clients know the setting as a part of the status.
    ...(setting === 'presence_enabled' && !changesStatus(appended)
      ? userIds.map((id) => awayNotice(id, value !== true))
      : []),
    ...(setting === 'timezone' ? users.map((user) => personNotice(user, timeZoneOf(user, directory))) : []),
    ...(setting === 'email_address_visibility'
      ? users.flatMap((user) => addressNotices(user, directory))
      : []),
  ];
}

function awayNotice(userId: number, away: boolean): Notice {
  return { to: 'everyone', event: { type: 'user_status', user_id: userId, away } };
}

function timeZoneOf(user: User, directory: Directory): object {
  return { email: apiEmail(directory, user), timezone: directory.settings.value(user.id, 'timezone') };
}
