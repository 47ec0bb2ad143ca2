import type { Actor } from '../../../access/actor.js';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Caller } from '../../../http/caller.js';
import { failure } from '../../../kernel/errors.js';
import type { EventOf } from '../../../kernel/event.js';
import { isAdministrator } from '../../../access/records/roles.js';
import type { UserSettingDefaultChanged } from '../../../events/settings.js';
import type { ChosenSettings } from '../../../access/records/personal-settings.js';
import { SettingChanges } from '../setting-changes.js';
import { settingNames } from '../../../events/values/setting-table.js';

/** Chooses what the settings of new accounts are at first (facts, PATCH realm/user_settings_defaults). */
export class ChangeSettingDefaults extends Command<void> {
  constructor(
    readonly caller: Caller,
    readonly requested: ChosenSettings,
  ) {
    super();
  }
}

/** @throws ApplicationError `administratorRequired` */
export function decideChangeSettingDefaults(
  requested: ChosenSettings,
  { user: actor, moment }: Actor,
): readonly EventOf<typeof UserSettingDefaultChanged>[] {
  if (!isAdministrator(actor)) throw failure('administratorRequired');
  const current = moment.directory.settings.ofNewAccounts();
  return settingNames.flatMap((name) => {
    const value = requested[name];
    if (value === undefined || value === current[name]) return [];
    return [{ type: 'UserSettingDefaultChanged', data: { setting: name, value } }];
  });
}

@CommandHandler(ChangeSettingDefaults)
export class ChangeSettingDefaultsHandler implements ICommandHandler<ChangeSettingDefaults> {
  constructor(private readonly changes: SettingChanges) {}

  async execute({ caller, requested }: ChangeSettingDefaults): Promise<void> {
    const by = this.changes.acting(caller);
    await this.changes.applyShared(caller, () => decideChangeSettingDefaults(requested, by));
  }
}
