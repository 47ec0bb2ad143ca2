import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { Caller } from '../../../http/caller.js';
import { Decisions } from '../../../http/decisions.js';
import {
  settingDefaultsObject,
  settingsObject,
  type SettingDefaultsObject,
  type SettingsObject,
} from '../views/settings-object.js';

/** Reads what the caller has set. */
export class GetSettings extends Query<SettingsObject> {
  constructor(readonly caller: Caller) {
    super();
  }
}

@QueryHandler(GetSettings)
export class GetSettingsHandler implements IQueryHandler<GetSettings> {
  constructor(private readonly decisions: Decisions) {}

  execute({ caller }: GetSettings): Promise<SettingsObject> {
    return Promise.resolve(settingsObject(this.decisions.snapshot().directory.settings.of(caller.userId)));
  }
}

/** Reads what the settings of new accounts are at first. */
export class GetSettingDefaults extends Query<SettingDefaultsObject> {}

@QueryHandler(GetSettingDefaults)
export class GetSettingDefaultsHandler implements IQueryHandler<GetSettingDefaults> {
  constructor(private readonly decisions: Decisions) {}

  execute(): Promise<SettingDefaultsObject> {
    return Promise.resolve(
      settingDefaultsObject(this.decisions.snapshot().directory.settings.ofNewAccounts()),
    );
  }
}
