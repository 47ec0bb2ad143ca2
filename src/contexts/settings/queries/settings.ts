import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { Caller } from '../../../http/caller.js';
import { Decisions } from '../../../http/decisions.js';
import {
  settingDefaultsObject,
  settingsObject,
  type SettingDefaultsObject,
  type SettingsObject,
} from '../settings.view.js';

/** Reads the caller's settings. */
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

/** Reads the settings that new accounts get. */
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
