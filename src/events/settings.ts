import { z } from 'zod';
import { defineEvent, type EventOf } from '../kernel/event.js';
import { settingNames } from './values/setting-table.js';
import { settingValueSchema } from './values/setting-kinds.js';

const id = z.number().int().positive();
const setting = z.strictObject({ setting: z.enum(settingNames), value: settingValueSchema });

/** Stream `user-<id>`. */
export const UserSettingChanged = defineEvent({
  type: 'UserSettingChanged',
  description: 'A person changed one of their settings.',
  schema: z.strictObject({ userId: id, ...setting.shape }),
  example: { userId: 3, setting: 'twenty_four_hour_time', value: true },
});

/** Stream `user-settings`, for changes of many people's settings at once. */
export const UserSettingAssigned = defineEvent({
  type: 'UserSettingAssigned',
  description:
    'An administrator changed a setting of other people. Only people whose value changed are listed.',
  schema: z.strictObject({ ...setting.shape, userIds: z.array(id).min(1) }),
  example: { setting: 'enable_sounds', value: false, userIds: [3, 4] },
});

/** Stream `user-settings`. */
export const UserSettingDefaultChanged = defineEvent({
  type: 'UserSettingDefaultChanged',
  description: 'An administrator changed the default value of a setting for new accounts.',
  schema: setting,
  example: { setting: 'emojiset', value: 'twitter' },
});

export const settingEvents = [UserSettingChanged, UserSettingAssigned, UserSettingDefaultChanged] as const;

export type SettingEvent = EventOf<(typeof settingEvents)[number]>;
