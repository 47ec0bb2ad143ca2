import { z } from 'zod';
import { JsonParameter, TextParameter } from '../../../http/parameters/parameter-decorators.js';
import { failure } from '../../../kernel/errors.js';
import type { Assignment } from '../settings.decide.js';
import type { SettingsRequest } from '../commands/settings.js';
import { settingNames, settingNamesWithDefaults } from '../../../events/values/setting-table.js';
import { declareSetting, sentSettings } from './declare-setting.js';

const ids = z.array(z.number().int());
const targetUsers = z.object({
  user_ids: ids.optional(),
  group_ids: ids.optional(),
  skip_if_already_edited: z.boolean().optional(),
});

/** Parameters of PATCH /settings (specification): these, and every setting of the table. */
export class ChangeSettingsParameters {
  @TextParameter({ description: 'A new display name: 2 to 100 characters.' })
  full_name?: string;

  @TextParameter({ description: 'A new address. A link is mailed there; following it makes the change.' })
  email?: string;

  @TextParameter({ description: 'The password that `new_password` is to replace.' })
  old_password?: string;

  @TextParameter({ description: 'A new password: 6 to 100 characters.' })
  new_password?: string;

  @JsonParameter({
    schema: targetUsers,
    description:
      'Whose settings to change, for administrators: `{"user_ids", "group_ids", "skip_if_already_edited"}`.',
  })
  target_users?: z.infer<typeof targetUsers>;
}
settingNames.forEach((name) => declareSetting(ChangeSettingsParameters, name));

/** Parameters of PATCH /realm/user_settings_defaults: every setting that is not a person’s own fact. */
export class ChangeSettingDefaultsParameters {}
settingNamesWithDefaults.forEach((name) => declareSetting(ChangeSettingDefaultsParameters, name));

/** What nobody sets for others here. */
const ownNames = ['full_name', 'email', 'old_password', 'new_password'] as const;

/** What is to be changed for the caller. */
export function settingsRequest(parameters: ChangeSettingsParameters): SettingsRequest {
  const { full_name: fullName = null, email = null, old_password: old = null, new_password } = parameters;
  const password = new_password === undefined ? null : { old, new: new_password };
  return { settings: sentSettings(parameters), fullName, email, password };
}

/**
 * What is to be changed for others; null when the caller's own settings are meant.
 *
 * @throws ApplicationError `settingIsPersonal` for what only the person themselves may change
 */
export function assignmentOf(parameters: ChangeSettingsParameters): Assignment | null {
  const { target_users: targets } = parameters;
  if (targets === undefined) return null;
  const personal = ownNames.find((name) => parameters[name] !== undefined);
  if (personal !== undefined) throw failure('settingIsPersonal', { reason: personal });
  const { user_ids: userIds = [], group_ids: groupIds = [], skip_if_already_edited: skip = false } = targets;
  return { settings: sentSettings(parameters), userIds, groupIds, skipIfAlreadyEdited: skip };
}

/** Parameters of POST /zcommand. */
export class ShortCommandParameters {
  @TextParameter({
    example: '/ping',
    required: true,
    description: '`/ping`, `/dark`, `/light`, `/fluid-width` or `/fixed-width`.',
  })
  command!: string;
}
