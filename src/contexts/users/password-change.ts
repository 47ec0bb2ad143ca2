import { Injectable } from '@nestjs/common';
import { LoginAttempts } from '../../http/limits/login-attempts.js';
import { failure } from '../../kernel/errors.js';
import { Accounts } from './accounts.js';
import { Credentials } from './credentials.js';
import type { Acting } from './decisions.js';
import type { UserEvent } from '../../events/users.js';
import { PasswordPolicy } from './password-policy.js';
import { actingUser, type UserDirectory } from './user-directory.js';

/** A password, and the one that it replaces. */
export interface NewPassword {
  /** Null: it was not sent. */
  readonly old: string | null;
  readonly new: string;
}

/** A person sets another password. Keys that are live stay so: each client that is logged in keeps its own. */
export function decideChangePassword(state: UserDirectory, { actorId }: Acting): readonly UserEvent[] {
  return [{ type: 'UserPasswordChanged', data: { userId: actingUser(state, actorId).id } }];
}

/** People changing their password, by the one that they have (specification, "User settings", `new_password`). */
@Injectable()
export class PasswordChange {
  constructor(
    private readonly accounts: Accounts,
    private readonly credentials: Credentials,
    private readonly attempts: LoginAttempts,
    private readonly policy: PasswordPolicy,
  ) {}

  /** @throws RateLimitError; ApplicationError `missingParameter`, `wrongPassword`, or those of {@link PasswordPolicy} */
  async check({ userId }: { readonly userId: number }, password: NewPassword): Promise<void> {
    if (password.old === null) throw failure('missingParameter', { var_name: 'old_password' });
    const account = this.accounts.actor({ userId });
    const { email } = account;
    this.attempts.begin(email);
    if (!(await this.credentials.isPassword(userId, password.old))) throw failure('wrongPassword');
    this.attempts.succeed(email);
    await this.policy.assertAcceptable(password.new, account);
  }

  /** Only after {@link check}. */
  async change(
    by: { readonly userId: number; readonly client: string },
    password: NewPassword,
  ): Promise<void> {
    await this.accounts.decide(by, decideChangePassword);
    await this.credentials.setPassword(by.userId, password.new);
  }
}
