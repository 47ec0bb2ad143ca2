import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { Caller } from '../../../http/caller.js';
import { Accounts } from '../../users/accounts.js';
import { settingsObject, type SettingsObject } from '../views/settings-object.js';

/** Reads what the caller has set. */
export class GetSettings extends Query<SettingsObject> {
  constructor(readonly caller: Caller) {
    super();
  }
}

@QueryHandler(GetSettings)
export class GetSettingsHandler implements IQueryHandler<GetSettings> {
  constructor(private readonly accounts: Accounts) {}

  execute({ caller }: GetSettings): Promise<SettingsObject> {
    return Promise.resolve(settingsObject(this.accounts.moment().directory.settings.of(caller.userId)));
  }
}
