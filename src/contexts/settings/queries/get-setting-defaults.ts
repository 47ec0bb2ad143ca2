import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { Decisions } from '../../../http/decisions.js';
import { settingDefaultsObject, type SettingDefaultsObject } from '../views/settings-object.js';

/** Reads what the settings of new accounts are at first. */
export class GetSettingDefaults extends Query<SettingDefaultsObject> {}

@QueryHandler(GetSettingDefaults)
export class GetSettingDefaultsHandler implements IQueryHandler<GetSettingDefaults> {
  constructor(private readonly decisions: Decisions) {}

  execute(): Promise<SettingDefaultsObject> {
    return Promise.resolve(settingDefaultsObject(this.decisions.moment().directory.settings.ofNewAccounts()));
  }
}
