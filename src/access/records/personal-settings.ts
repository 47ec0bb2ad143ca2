import type { EventOf, Recorded } from '../../kernel/event.js';
import { unreachable } from '../../kernel/json.js';
import type {
  UserSettingAssigned,
  UserSettingChanged,
  UserSettingDefaultChanged,
} from '../../events/settings.js';
import type { SettingName, UserSettings } from '../../events/values/setting-table.js';

/** Settings that differ from their initial values. */
export type ChosenSettings = Partial<UserSettings>;

/** One person's settings. People who never changed any have none. */
export interface PersonalSettings {
  readonly userId: number;
  readonly chosen: ChosenSettings;
  /** The settings that the person has ever set themselves. */
  readonly ownChoices: readonly SettingName[];
}

/** The organization's settings for new accounts. */
export interface SettingDefaults {
  readonly chosen: ChosenSettings;
}

/** The initial state, without any. */
export const noDefaults: SettingDefaults = { chosen: {} };

/** Events that set something for existing accounts. */
export type PersonalSettingEvent = EventOf<typeof UserSettingChanged> | EventOf<typeof UserSettingAssigned>;

/**
 * A new account keeps the defaults of the time when it was created; null if these are the initial settings.
 */
export function settingsOfNewAccount(userId: number, { chosen }: SettingDefaults): PersonalSettings | null {
  return Object.keys(chosen).length === 0 ? null : { userId, chosen, ownChoices: [] };
}

/** The people whose settings the event changes. */
export function peopleIn(event: PersonalSettingEvent): readonly number[] {
  return event.type === 'UserSettingChanged' ? [event.data.userId] : event.data.userIds;
}

/** Applies an event to one person's settings. */
export function evolvePersonalSettings(
  settings: PersonalSettings | null,
  event: PersonalSettingEvent,
  userId: number,
): PersonalSettings {
  const { chosen, ownChoices }: PersonalSettings = settings ?? { userId, chosen: {}, ownChoices: [] };
  const { setting, value } = event.data;
  switch (event.type) {
    case 'UserSettingChanged':
      return {
        userId,
        chosen: { ...chosen, [setting]: value },
        ownChoices: ownChoices.includes(setting) ? ownChoices : [...ownChoices, setting],
      };
    case 'UserSettingAssigned':
      return { userId, chosen: { ...chosen, [setting]: value }, ownChoices };
    default:
      return unreachable(event);
  }
}

/** Applies an event to the settings for new accounts. Pure. */
export function evolveSettingDefaults(
  { chosen }: SettingDefaults,
  { data: { setting, value } }: Recorded<typeof UserSettingDefaultChanged>,
): SettingDefaults {
  return { chosen: { ...chosen, [setting]: value } };
}
