import { IsIn, Max, Min, ValidateBy } from 'class-validator';
import { z } from 'zod';
import type { ChosenSettings } from '../../access/records/personal-settings.js';
import type { Setting } from '../../events/values/setting-kinds.js';
import {
  settingNames,
  settingNamesWithDefaults,
  settingTable,
  type SettingName,
} from '../../events/values/setting-table.js';
import {
  BooleanParameter,
  IntegerParameter,
  JsonParameter,
  TextParameter,
} from '../../http/parameters/parameter-decorators.js';
import { budgets } from '../../kernel/budgets.js';
import { failure } from '../../kernel/errors.js';
import { unreachable } from '../../kernel/json.js';
import type { SettingsRequest } from './commands/settings.js';
import type { Assignment } from './settings.decide.js';
import { MAX_ADDRESS_LENGTH } from '../users/email-address.js';
import { limits } from '../../events/values/organization-defaults.js';

/** Identifiers of the IANA database; offsets and other forms that the platform accepts are refused. */
const identifier = /^[A-Z][A-Za-z0-9_+-]*(\/[A-Z][A-Za-z0-9_+-]*)*$/;

/** Whether it is a time zone; empty means unknown. */
export function isTimeZone(value: unknown): boolean {
  if (value === '') return true;
  if (typeof value !== 'string' || !identifier.test(value)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: value }).resolvedOptions().timeZone !== '';
  } catch {
    // The platform throws for an unknown name.
    return false;
  }
}

/** Adds a setting to a parameter class, validated and documented as in the table. */
function declareSetting(type: { readonly prototype: object }, name: SettingName): void {
  for (const decorate of decoratorsOf(name, settingTable[name])) decorate(type.prototype, name);
}

function decoratorsOf(name: SettingName, setting: Setting): readonly PropertyDecorator[] {
  const { description } = setting;
  switch (setting.kind) {
    case 'flag':
      return [BooleanParameter({ description })];
    case 'choice': {
      const values: readonly (number | string)[] = setting.values;
      const parameter = typeof setting.default === 'number' ? IntegerParameter : TextParameter;
      const message = `Invalid ${name}: not in the list of possible values`;
      return [IsIn(values, { message }), parameter({ description, values })];
    }
    case 'quantity': {
      const message = `Invalid ${name}: not between ${setting.from} and ${setting.to}`;
      return [
        Min(setting.from, { message }),
        Max(setting.to, { message }),
        IntegerParameter({ description }),
      ];
    }
    case 'time-zone': {
      const message = `Invalid ${name}: not a recognized time zone`;
      return [
        ValidateBy({ name: 'isTimeZone', validator: { validate: isTimeZone } }, { message }),
        TextParameter({ description }),
      ];
    }
    default:
      return unreachable(setting);
  }
}

/** The settings among the sent parameters. */
export function settingsIn(parameters: object): ChosenSettings {
  const sent = parameters as ChosenSettings;
  const names = settingNames.filter((name) => sent[name] !== undefined);
  return Object.fromEntries(names.map((name) => [name, sent[name]]));
}

const ids = z.array(z.number().int()).max(budgets.listOfRequest.max);
const targetUsers = z.object({
  user_ids: ids.optional(),
  group_ids: ids.optional(),
  skip_if_already_edited: z.boolean().optional(),
});

/** Parameters of PATCH /settings: these, and every setting of the table. */
export class ChangeSettingsParameters {
  @TextParameter({ maxLength: limits.fullName, description: 'A new display name: 2 to 100 characters.' })
  full_name?: string;

  @TextParameter({
    maxLength: MAX_ADDRESS_LENGTH,
    countsUtf16: true,
    description:
      'A new e-mail address. A confirmation link is sent to it. The address changes when the link is used.',
  })
  email?: string;

  @TextParameter({ description: 'The present password, which `new_password` replaces.' })
  old_password?: string;

  @TextParameter({ maxLength: limits.passwordMaximum, description: 'A new password: 6 to 100 characters.' })
  new_password?: string;

  @JsonParameter({
    schema: targetUsers,
    description:
      'For administrators, the accounts whose settings to change: `{"user_ids", "group_ids", "skip_if_already_edited"}`. Absent: the caller.',
  })
  target_users?: z.infer<typeof targetUsers>;
}
settingNames.forEach((name) => declareSetting(ChangeSettingsParameters, name));

/** Parameters of PATCH /realm/user_settings_defaults: every setting that is not personal. */
export class ChangeSettingDefaultsParameters {}
settingNamesWithDefaults.forEach((name) => declareSetting(ChangeSettingDefaultsParameters, name));

/** Parameters that nobody may change for others. */
const ownNames = ['full_name', 'email', 'old_password', 'new_password'] as const;

/** The changes for the caller. */
export function settingsRequest(parameters: ChangeSettingsParameters): SettingsRequest {
  const { full_name: fullName = null, email = null, old_password: old = null, new_password } = parameters;
  const password = new_password === undefined ? null : { old, new: new_password };
  return { settings: settingsIn(parameters), fullName, email, password };
}

/**
 * The changes for others; null when the request is about the caller's own settings.
 *
 * @throws ApplicationError `settingIsPersonal` for what only the person themselves may change
 */
export function assignmentOf(parameters: ChangeSettingsParameters): Assignment | null {
  const { target_users: targets } = parameters;
  if (targets === undefined) return null;
  const personal = ownNames.find((name) => parameters[name] !== undefined);
  if (personal !== undefined) throw failure('settingIsPersonal', { reason: personal });
  const { user_ids: userIds = [], group_ids: groupIds = [], skip_if_already_edited: skip = false } = targets;
  return { settings: settingsIn(parameters), userIds, groupIds, skipIfAlreadyEdited: skip };
}

/** Parameters of POST /zcommand. */
export class ShortCommandParameters {
  @TextParameter({
    example: '/ping',
    required: true,
    description: 'The command: `/ping`, `/dark`, `/light`, `/fluid-width` or `/fixed-width`.',
  })
  command!: string;
}
