import { z } from 'zod';
import type { Setting } from '../../events/values/setting-kinds.js';
import { settingNames, settingNamesWithDefaults, settingTable } from '../../events/values/setting-table.js';
import { named, optionalFields } from '../../http/replies/common-schemas.js';
import { clientEvent } from '../../realtime/client-event-schema.js';

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
const settingSchemas: Readonly<Record<string, z.ZodType>> = Object.fromEntries(
  settingNames.map((name) => [name, schemaOf(settingTable[name]).describe(settingTable[name].description)]),
);

const choices = {
  emojiset_choices: z.array(z.strictObject({ key: z.string(), text: z.string() })),
  available_notification_sounds: z.array(z.string()),
} as const;

/** A person's settings (`user_settings`). */
const settingsSchema = named('UserSettings', z.strictObject({ ...settingSchemas, ...choices }));

/** The settings of new accounts (`realm_user_settings_defaults`). */
const settingDefaultsSchema = named(
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

const value = z.union([z.boolean(), z.string(), z.int()]);
const languageName = z
  .string()
  .optional()
  .describe('The name of the language, if the setting is `default_language`');
const older = { user: z.string().describe('E-mail address of the account'), setting: value } as const;

/** Schemas of the client events about settings. */
export const settingEventSchemas = [
  clientEvent('user_settings', 'update', { property: z.string(), value, language_name: languageName }),
  clientEvent('realm_user_settings_defaults', 'update', { property: z.string(), value }),
  clientEvent('update_display_settings', null, {
    ...older,
    setting_name: z.string(),
    language_name: languageName,
  }),
  clientEvent('update_global_notifications', null, { ...older, notification_name: z.string() }),
];

/**
 * Schemas of the initial state about settings; separate members are for clients without support for
 * `user_settings`.
 */
export const settingStateFields = {
  user_settings: settingsSchema.optional(),
  realm_user_settings_defaults: settingDefaultsSchema.optional(),
  ...optionalFields(settingSchemas),
  emojiset_choices: settingsSchema.shape.emojiset_choices.optional(),
  available_notification_sounds: settingsSchema.shape.available_notification_sounds.optional(),
} as const;
