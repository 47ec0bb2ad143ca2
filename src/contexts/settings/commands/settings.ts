import { foldedUsers } from '../../users/users.state.js';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Actor } from '../../../access/actor.js';
import type { Caller } from '../../../http/caller.js';
import { Decisions } from '../../../http/decisions.js';
import { decideRenameSelf } from '../../users/identity.decide.js';
import { PasswordChange, type NewPassword } from '../../users/password-change.js';
import { EmailChange } from '../../account-links/commands/account-links.js';
import type { ChosenSettings } from '../../../access/records/personal-settings.js';
import { ownSettingsOf, sharedSettings } from '../settings.state.js';
import {
  assertPerson,
  decideChangeSettings,
  type Assignment,
  decideAssignSettings,
  decideChangeSettingDefaults,
} from '../settings.decide.js';

/** Changes the caller's own settings (`PATCH /settings`). */
export class ChangeSettings extends Command<void> {
  constructor(
    readonly caller: Caller,
    readonly request: SettingsRequest,
  ) {
    super();
  }
}

/** The changes; null: no change. */
export interface SettingsRequest {
  readonly settings: ChosenSettings;
  readonly fullName: string | null;
  readonly email: string | null;
  readonly password: NewPassword | null;
}

@CommandHandler(ChangeSettings)
export class ChangeSettingsHandler implements ICommandHandler<ChangeSettings> {
  constructor(
    private readonly decisions: Decisions,
    private readonly passwords: PasswordChange,
    private readonly emails: EmailChange,
  ) {}

  /**
   * Everything is checked before anything is changed. No rule spans two of the changes, and each is
   * idempotent and decided with the actor of its own time: after a crash, repeating the request completes it
   * (docs/adr/0014-settings-in-the-directory.md). The password comes last, because the request must be
   * repeatable with the old one until everything else is done.
   */
  async execute({ caller, request }: ChangeSettings): Promise<void> {
    const actor = this.decisions.actor(caller);
    assertPerson(actor.user);
    await this.check(caller, request, actor);
    const { settings, fullName, email, password } = request;
    const { userId } = caller;
    const { directory } = actor.snapshot;
    await this.decisions.decide(caller, ownSettingsOf(userId), (own) =>
      decideChangeSettings(own, settings, { userId, directory }),
    );
    if (fullName !== null) {
      await this.decisions.decide(caller, foldedUsers, (state, actor) =>
        decideRenameSelf(state, fullName, actor),
      );
    }
    if (email !== null) await this.emails.request(caller, email);
    if (password !== null) await this.passwords.change(caller, password);
  }

  private async check(
    caller: Caller,
    { fullName, email, password }: SettingsRequest,
    actor: Actor,
  ): Promise<void> {
    if (password !== null) await this.passwords.check(caller, password);
    if (email !== null) await this.emails.check(caller, email);
    if (fullName === null) return;
    decideRenameSelf(await this.decisions.load(foldedUsers), fullName, actor);
  }
}

/** Changes the settings of other people (`PATCH /settings` with `target_users`). */
export class AssignSettings extends Command<void> {
  constructor(
    readonly caller: Caller,
    readonly assignment: Assignment,
  ) {
    super();
  }
}

@CommandHandler(AssignSettings)
export class AssignSettingsHandler implements ICommandHandler<AssignSettings> {
  constructor(private readonly decisions: Decisions) {}

  async execute({ caller, assignment }: AssignSettings): Promise<void> {
    await this.decisions.decide(caller, sharedSettings, (_settings, actor) =>
      decideAssignSettings(assignment, actor),
    );
  }
}

/** Changes the settings that new accounts get (`PATCH /realm/user_settings_defaults`). */
export class ChangeSettingDefaults extends Command<void> {
  constructor(
    readonly caller: Caller,
    readonly requested: ChosenSettings,
  ) {
    super();
  }
}

@CommandHandler(ChangeSettingDefaults)
export class ChangeSettingDefaultsHandler implements ICommandHandler<ChangeSettingDefaults> {
  constructor(private readonly decisions: Decisions) {}

  async execute({ caller, requested }: ChangeSettingDefaults): Promise<void> {
    await this.decisions.decide(caller, sharedSettings, (_settings, actor) =>
      decideChangeSettingDefaults(requested, actor),
    );
  }
}
