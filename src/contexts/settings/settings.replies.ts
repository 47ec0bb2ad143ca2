import { z } from 'zod';
import type { Setting } from '../../events/values/setting-kinds.js';
import { settingNames, settingNamesWithDefaults, settingTable } from '../../events/values/setting-table.js';
import { named } from '../../http/replies/named-schema.js';

function schemaOf(setting: Setting): z.ZodType {
  switch (setting.kind) {
    case 'flag':
      return z.boolean();
    case 'choice':
      return z.union(setting.values.map((value) => z.literal(value)));
    case 'quantity':
      return z.int().min(setting.from).max(setting.to);
    case 'time-zone':
      return z.string();
  }
}

/** Schemas of all settings of a person. */
export const settingSchemas: Readonly<Record<string, z.ZodType>> = Object.fromEntries(
  settingNames.map((name) => [name, schemaOf(settingTable[name]).describe(settingTable[name].description)]),
);

const choices = {
  emojiset_choices: z.array(z.strictObject({ key: z.string(), text: z.string() })),
  available_notification_sounds: z.array(z.string()),
} as const;

/** A person's settings (`user_settings`). */
export const settingsSchema = named('UserSettings', z.strictObject({ ...settingSchemas, ...choices }));

/** The settings of new accounts (`realm_user_settings_defaults`). */
export const settingDefaultsSchema = named(
  'UserSettingDefaults',
  z.strictObject({
    ...Object.fromEntries(settingNamesWithDefaults.map((name) => [name, settingSchemas[name] ?? z.never()])),
    ...choices,
  }),
);

/** Answered by `GET settings`. */
export const settingsReply = settingsSchema.shape;

/** Answered by `GET realm/user_settings_defaults`. */
export const settingDefaultsReply = settingDefaultsSchema.shape;
