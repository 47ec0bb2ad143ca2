import type { SettingName } from '../../events/values/setting-table.js';
import { olderKindOf, type OlderKind } from './views/older-settings.js';
import { settingDefaultsObject, settingsObject } from './views/settings-object.js';
import type { InitialState, StateFields, StateRequest } from '../../realtime/initial-state.js';

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
