import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { Accounts } from '../../users/accounts.js';
import { settingDefaultsObject, type SettingDefaultsObject } from '../views/settings-object.js';

/** Reads what the settings of new accounts are at first. */
export class GetSettingDefaults extends Query<SettingDefaultsObject> {}

@QueryHandler(GetSettingDefaults)
export class GetSettingDefaultsHandler implements IQueryHandler<GetSettingDefaults> {
  constructor(private readonly accounts: Accounts) {}

  execute(): Promise<SettingDefaultsObject> {
    return Promise.resolve(settingDefaultsObject(this.accounts.moment().directory.settings.ofNewAccounts()));
  }
}
