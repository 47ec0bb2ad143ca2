import type { Directory } from '../../access/directory.js';
import { noState, type Fold } from '../../kernel/decider.js';
import { stream, streamsOf } from '../../kernel/stream.js';
import { personalStream } from '../../events/personal-stream.js';
import type { Recorded } from '../../kernel/event.js';
import type { UserSettingChanged } from '../../events/settings.js';
import type { SettingValue } from '../../events/values/setting-kinds.js';
import type { SettingName } from '../../events/values/setting-table.js';

/** What a person last set themselves, and where in the log: newer than the directory when that is still behind. */
export type OwnSettings = Partial<
  Record<SettingName, { readonly value: SettingValue; readonly position: number }>
>;

/** What a person set themselves, by their own stream. */
export const ownSettingsFold: Fold<OwnSettings, Recorded<typeof UserSettingChanged>> = {
  snapshot: { name: 'own-settings', version: 1 },
  initial: {},
  evolve(settings, event) {
    if (event.type !== 'UserSettingChanged') return settings;
    const { setting, value } = event.data;
    return { ...settings, [setting]: { value, position: event.position } };
  },
};

/** What a person set themselves, for decisions about it. */
export const ownSettingsOf = streamsOf(personalStream, ownSettingsFold);

/** The stream of what is set for many at once: defaults of new accounts, and what administrators set for others. */
export const sharedSettings = stream('user-settings', noState);

/** What a setting of a person is, by their own stream and by the directory, which knows what administrators set. */
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
