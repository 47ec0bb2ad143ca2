import { z } from 'zod';
import { optionalFields } from '../../http/replies/common-schemas.js';
import { clientEvent } from '../../realtime/client-event-schema.js';
import { settingDefaultsSchema, settingSchemas, settingsSchema } from './settings.replies.js';

const value = z.union([z.boolean(), z.string(), z.int()]);
const languageName = z.string().optional().describe('Of `default_language`');
const older = { user: z.string().describe('E-mail address'), setting: value } as const;

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
