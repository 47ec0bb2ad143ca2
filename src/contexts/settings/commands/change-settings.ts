import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Directory } from '../../../access/directory.js';
import type { Moment } from '../../../access/moment.js';
import type { Caller } from '../../../http/caller.js';
import type { EventOf } from '../../../kernel/event.js';
import { Accounts } from '../../users/accounts.js';
import { decideRenameSelf } from '../../users/rename-self.js';
import { PasswordChange, type NewPassword } from '../../users/password-change.js';
import { EmailChanges } from '../../account-links/email-changes.js';
import type { UserSettingChanged } from '../../../events/settings.js';
import { currentValue, type OwnSettings } from '../own-settings.js';
import type { ChosenSettings } from '../../../access/records/personal-settings.js';
import { settingNames } from '../../../events/values/setting-table.js';
import { SettingChanges } from '../setting-changes.js';

/** Changes the caller's own settings (specification, PATCH /settings). */
export class ChangeSettings extends Command<void> {
  constructor(
    readonly caller: Caller,
    readonly request: SettingsRequest,
  ) {
    super();
  }
}

/** What is to be changed; null: left as it is. */
export interface SettingsRequest {
  readonly settings: ChosenSettings;
  readonly fullName: string | null;
  readonly email: string | null;
  readonly password: NewPassword | null;
}

/** Only what is not so already becomes an event, one for each setting. */
export function decideChangeSettings(
  own: OwnSettings,
  requested: ChosenSettings,
  { userId, directory }: { readonly userId: number; readonly directory: Directory },
): readonly EventOf<typeof UserSettingChanged>[] {
  return settingNames.flatMap((name) => {
    const value = requested[name];
    if (value === undefined || value === currentValue(own, directory, { userId, name })) return [];
    return [{ type: 'UserSettingChanged', data: { userId, setting: name, value } }];
  });
}

@CommandHandler(ChangeSettings)
export class ChangeSettingsHandler implements ICommandHandler<ChangeSettings> {
  constructor(
    private readonly changes: SettingChanges,
    private readonly accounts: Accounts,
    private readonly passwords: PasswordChange,
    private readonly emails: EmailChanges,
  ) {}

  /**
   * All is checked before anything is changed. No rule spans two of the changes, and each is done once however often it is asked
   * for: what a crash cuts off, sending the request again finishes (docs/adr/0014-settings-in-the-directory.md). So the
   * password comes last: the old one lets the request in again until all else is done.
   */
  async execute({ caller, request }: ChangeSettings): Promise<void> {
    const { moment } = this.changes.acting(caller);
    await this.check(caller, request, moment);
    const { settings, fullName, email, password } = request;
    const { userId } = caller;
    await this.changes.applyOwn(caller, (own) =>
      decideChangeSettings(own, settings, { userId, directory: moment.directory }),
    );
    if (fullName !== null) {
      await this.accounts.decide(caller, (state, by) => decideRenameSelf(state, fullName, by));
    }
    if (email !== null) await this.emails.request(caller, email);
    if (password !== null) await this.passwords.change(caller, password);
  }

  private async check(
    caller: Caller,
    { fullName, email, password }: SettingsRequest,
    moment: Moment,
  ): Promise<void> {
    if (password !== null) await this.passwords.check(caller, password);
    if (email !== null) await this.emails.check(caller, email);
    if (fullName === null) return;
    decideRenameSelf(await this.accounts.all(), fullName, { actorId: caller.userId, moment });
  }
}
