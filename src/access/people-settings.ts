import type { EventOf, RecordedEvent } from '../kernel/event.js';
import { unreachable } from '../kernel/json.js';
import type { SettingEvent } from '../events/settings.js';
import {
  evolvePersonalSettings,
  evolveSettingDefaults,
  noDefaults,
  peopleIn,
  settingsOfNewAccount,
  type PersonalSettings,
  type SettingDefaults,
} from './records/personal-settings.js';
import { initialSettings, type SettingName, type UserSettings } from '../events/values/setting-table.js';
import type { UserRegistered } from '../events/users.js';

/**
 * Everyone's settings as of one log position. Only differences from the initial settings are kept, so it is
 * small however many people there are, and reading one setting of thousands of people takes two look-ups
 * each.
 */
export class PeopleSettings {
  private readonly settingsByUser = new Map<number, PersonalSettings>();
  /** The organization's settings for new accounts. */
  defaults: SettingDefaults = noDefaults;

  /** One setting of one person. */
  value<Name extends SettingName>(userId: number, name: Name): UserSettings[Name] {
    return this.settingsByUser.get(userId)?.chosen[name] ?? initialSettings[name];
  }

  /** All settings of one person. */
  of(userId: number): UserSettings {
    return { ...initialSettings, ...this.settingsByUser.get(userId)?.chosen };
  }

  /** All settings that a new account gets. */
  ofNewAccounts(): UserSettings {
    return { ...initialSettings, ...this.defaults.chosen };
  }

  /** Whether the person has ever set it themselves. */
  isOwnChoice(userId: number, name: SettingName): boolean {
    return this.settingsByUser.get(userId)?.ownChoices.includes(name) ?? false;
  }

  /** People whose settings differ, or once differed, from the initial ones. */
  all(): Iterable<PersonalSettings> {
    return this.settingsByUser.values();
  }

  apply(event: RecordedEvent<SettingEvent>): void {
    switch (event.type) {
      case 'UserSettingChanged':
      case 'UserSettingAssigned':
        for (const userId of peopleIn(event)) {
          this.put(evolvePersonalSettings(this.settingsByUser.get(userId) ?? null, event, userId));
        }
        return;
      case 'UserSettingDefaultChanged':
        this.defaults = evolveSettingDefaults(this.defaults, event);
        return;
      default:
        return unreachable(event);
    }
  }

  register({ data: { userId } }: EventOf<typeof UserRegistered>): void {
    const settings = settingsOfNewAccount(userId, this.defaults);
    if (settings !== null) this.put(settings);
  }

  put(settings: PersonalSettings): void {
    this.settingsByUser.set(settings.userId, settings);
  }
}
