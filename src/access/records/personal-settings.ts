import type { EventOf, Recorded } from '../../kernel/event.js';
import { unreachable } from '../../kernel/json.js';
import type {
  UserSettingAssigned,
  UserSettingChanged,
  UserSettingDefaultChanged,
} from '../../events/settings.js';
import type { SettingName, UserSettings } from '../../events/values/setting-table.js';

/** Settings that differ from what they are at first. */
export type ChosenSettings = Partial<UserSettings>;

/** What is set for one person. People who keep everything as it was have none. */
export interface PersonalSettings {
  readonly userId: number;
  readonly chosen: ChosenSettings;
  /** What the person has ever set themselves. */
  readonly ownChoices: readonly SettingName[];
}

/** What the organization has chosen for new accounts. */
export interface SettingDefaults {
  readonly chosen: ChosenSettings;
}

/** Of an organization that chose nothing for new accounts. */
export const noDefaults: SettingDefaults = { chosen: {} };

/** Events that set something for people who have an account. */
export type PersonalSettingEvent = EventOf<typeof UserSettingChanged> | EventOf<typeof UserSettingAssigned>;

/** A new account keeps what the defaults were when it was made; null where they are what they are everywhere. */
export function settingsOfNewAccount(userId: number, { chosen }: SettingDefaults): PersonalSettings | null {
  return Object.keys(chosen).length === 0 ? null : { userId, chosen, ownChoices: [] };
}

/** The people whose settings the event changes. */
export function peopleIn(event: PersonalSettingEvent): readonly number[] {
  return event.type === 'UserSettingChanged' ? [event.data.userId] : event.data.userIds;
}

/** What the event makes of one person's settings. */
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

/** What the event makes of what new accounts begin with. Pure. */
export function evolveSettingDefaults(
  { chosen }: SettingDefaults,
  { data: { setting, value } }: Recorded<typeof UserSettingDefaultChanged>,
): SettingDefaults {
  return { chosen: { ...chosen, [setting]: value } };
}
