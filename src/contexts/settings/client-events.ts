import type { Directory } from '../../access/directory.js';
import { apiEmail, type EmailVisibility } from '../../access/email-visibility.js';
import type { User } from '../../access/records/user.js';
import type { SettingEvent } from '../../events/settings.js';
import { UserStatusChanged } from '../../events/statuses.js';
import { languages } from '../../events/values/languages.js';
import type { SettingName } from '../../events/values/setting-table.js';
import { isEvent } from '../../kernel/event.js';
import type { ClientEvent } from '../../realtime/client-event.js';
import type { InitialState, StateFields, StateRequest } from '../../realtime/initial-state.js';
import { mapper, type AddressedEvent, type MapperContext, type Mappers } from '../../realtime/mapper.js';
import { presenceEvents, type PresenceModels } from '../presence/client-events.js';
import { unseen } from '../presence/presence.js';
import { consentEvents, personEvent, visibilityEvents } from '../users/client-events/person-events.js';
import { type OlderKind, olderKindOf, settingDefaultsObject, settingsObject } from './settings.view.js';

/** Client events about people's settings, and about the settings of new accounts. */
export const settingMappers: Mappers<SettingEvent, PresenceModels> = {
  UserSettingChanged: mapper({
    before: ({ data: { userId, setting } }, { directory }) => visibilities([userId], setting, directory),
    read: ({ data: { userId, setting } }, models) =>
      Promise.resolve(setting === 'presence_enabled' ? models.presence(userId) : null),
    clientEvents: ({ data: { userId, setting, value } }, context) => [
      ...settingEvents([userId], { setting, value }, context),
      ...(value === true && context.read !== null ? presenceEvents(context.read, context.snapshot) : []),
    ],
  }),
  UserSettingAssigned: mapper({
    before: ({ data: { userIds, setting } }, { directory }) => visibilities(userIds, setting, directory),
    clientEvents: ({ data: { userIds, setting, value } }, context) =>
      settingEvents(userIds, { setting, value }, context),
  }),
  UserSettingDefaultChanged: {
    clientEvents: ({ data: { setting: property, value } }) => [
      { to: 'everyone', event: { type: 'realm_user_settings_defaults', op: 'update', property, value } },
    ],
  },
};

/** Who may see addresses, by the ids of their people. */
type Visibilities = ReadonlyMap<number, EmailVisibility>;

/** Who could see the addresses before a setting changes; empty where another one does. */
function visibilities(
  userIds: readonly number[],
  setting: SettingName,
  { settings }: Directory,
): Visibilities {
  if (setting !== 'email_address_visibility') return new Map();
  return new Map(userIds.map((id) => [id, settings.value(id, setting)]));
}

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

/** Clients without support for `user_settings` also get the older events of a change. */
function olderEvents(
  users: readonly User[],
  { setting, value }: SettingChange,
  directory: Directory,
): readonly AddressedEvent[] {
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
function settingEvents(
  userIds: readonly number[],
  { setting, value }: SettingChange,
  { snapshot, before, appended }: MapperContext<Visibilities>,
): readonly AddressedEvent[] {
  const { directory } = snapshot;
  const users = userIds.flatMap((id) => directory.user(id) ?? []);
  return [
    { to: userIds, event: settingEvent(setting, value) },
    ...olderEvents(users, { setting, value }, directory),
    ...(setting === 'presence_enabled' && value === false
      ? userIds.flatMap((userId) => presenceEvents(unseen(userId, snapshot.now), snapshot))
      : []),
    // Older clients expect the setting as a part of the status.
    ...(setting === 'presence_enabled' && !appended.some((event) => isEvent(event, UserStatusChanged))
      ? userIds.map((id) => awayEvent(id, value !== true))
      : []),
    ...(setting === 'timezone' ? users.map((user) => personEvent(user, timeZoneOf(user, directory))) : []),
    ...(setting === 'allow_private_data_export'
      ? users.flatMap((user) => consentEvents(user, value === true))
      : []),
    ...users.flatMap((user) => {
      const visibility = before.get(user.id);
      return visibility === undefined ? [] : visibilityEvents(user, visibility, directory);
    }),
  ];
}

function awayEvent(userId: number, away: boolean): AddressedEvent {
  return { to: 'everyone', event: { type: 'user_status', user_id: userId, away } };
}

function timeZoneOf(user: User, directory: Directory): object {
  return { email: apiEmail(directory, user), timezone: directory.settings.value(user.id, 'timezone') };
}

/** The person's settings, and the settings of new accounts. */
export const settingState: InitialState = {
  user_settings: ({ user, snapshot }) => ({
    user_settings: settingsObject(snapshot.directory.settings.of(user.id)),
  }),
  update_display_settings: (request) => olderSettings(request, 'display'),
  update_global_notifications: (request) => olderSettings(request, 'notification'),
  realm_user_settings_defaults: ({ snapshot }) => ({
    realm_user_settings_defaults: settingDefaultsObject(snapshot.directory.settings.ofNewAccounts()),
  }),
};

/** Older clients expect each setting as a member of the reply itself. */
function olderSettings({ user, snapshot, options }: StateRequest, kind: OlderKind): StateFields {
  if (options.capabilities.user_settings_object) return {};
  const { emojiset_choices, available_notification_sounds, ...settings } = settingsObject(
    snapshot.directory.settings.of(user.id),
  );
  const known = Object.entries(settings).filter(([name]) => olderKindOf(name as SettingName) === kind);
  const choices = kind === 'display' ? { emojiset_choices } : { available_notification_sounds };
  return { ...Object.fromEntries(known), ...choices };
}
