import { IsIn, Max, Min, ValidateBy } from 'class-validator';
import {
  BooleanParameter,
  IntegerParameter,
  TextParameter,
} from '../../../http/parameters/parameter-decorators.js';
import { unreachable } from '../../../kernel/json.js';
import type { ChosenSettings } from '../../../access/records/personal-settings.js';
import type { Setting } from '../../../events/values/setting-kinds.js';
import { settingNames, settingTable, type SettingName } from '../../../events/values/setting-table.js';
import { isTimeZone } from '../time-zone.js';

/** Makes a class of parameters take a setting, checked and documented as the table says. */
export function declareSetting(type: { readonly prototype: object }, name: SettingName): void {
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

/** The settings among what was sent. */
export function sentSettings(parameters: object): ChosenSettings {
  const sent = parameters as ChosenSettings;
  const names = settingNames.filter((name) => sent[name] !== undefined);
  return Object.fromEntries(names.map((name) => [name, sent[name]]));
}
