import type { Directory } from '../../access/directory.js';
import { noState, type Fold } from '../../kernel/fold.js';
import { stream, streamsOf } from '../../kernel/decision.js';
import { personalStream } from '../../events/personal.js';
import type { Recorded } from '../../kernel/event.js';
import type { UserSettingChanged } from '../../events/settings.js';
import type { SettingValue } from '../../events/values/setting-kinds.js';
import type { SettingName } from '../../events/values/setting-table.js';

/**
 * The settings that a person last changed themselves, with the log positions of the changes; newer than the
 * directory if that is behind.
 */
export type OwnSettings = Partial<
  Record<SettingName, { readonly value: SettingValue; readonly position: number }>
>;

/** Folds the settings that a person changed themselves out of their stream. */
export const ownSettingsFold: Fold<OwnSettings, Recorded<typeof UserSettingChanged>> = {
  snapshot: { name: 'own-settings', version: 1 },
  initial: {},
  evolve(settings, event) {
    if (event.type !== 'UserSettingChanged') return settings;
    const { setting, value } = event.data;
    return { ...settings, [setting]: { value, position: event.position } };
  },
};

/** The stream of a person's own settings, for decisions about them. */
export const ownSettingsOf = streamsOf(personalStream, ownSettingsFold);

/**
 * The stream of settings that are changed for many people: defaults of new accounts, and changes by
 * administrators.
 */
export const sharedSettings = stream('user-settings', noState);

/**
 * The present value of a person's setting, from their own stream and from the directory, which includes
 * changes by administrators; the later change counts.
 */
export function currentValue(
  own: OwnSettings,
  directory: Directory,
  { userId, name }: { readonly userId: number; readonly name: SettingName },
): SettingValue {
  const newest = own[name];
  return newest !== undefined && newest.position > (directory.position ?? -1)
    ? newest.value
    : directory.settings.value(userId, name);
}
