import { settingDefaultsObject, settingsObject } from '../../settings/views/settings-object.js';
import type { InitialState } from './initial-state.js';

/** What the person has set, and what is set for new accounts. */
export const settingState: InitialState = {
  user_settings: ({ user, moment }) => ({
    user_settings: settingsObject(moment.directory.settings.of(user.id)),
  }),
  realm_user_settings_defaults: ({ moment }) => ({
    realm_user_settings_defaults: settingDefaultsObject(moment.directory.settings.ofNewAccounts()),
  }),
};
