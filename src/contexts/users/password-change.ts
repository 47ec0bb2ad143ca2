import { foldedUsers } from './users.state.js';
import { Injectable } from '@nestjs/common';
import { LoginAttempts } from '../../http/limits/login-attempts.js';
import { failure } from '../../kernel/errors.js';
import { Decisions } from '../../http/decisions.js';
import { Credentials } from './credentials.js';
import { PasswordPolicy } from './password-policy.js';
import { decideChangePassword } from './keys.decide.js';

/** A new password, and the present one as the caller sent it. */
export interface NewPassword {
  /** Null: it was not sent. */
  readonly old: string | null;
  readonly new: string;
}

/** Changes people's own passwords, after checking the present one. */
@Injectable()
export class PasswordChange {
  constructor(
    private readonly decisions: Decisions,
    private readonly credentials: Credentials,
    private readonly attempts: LoginAttempts,
    private readonly policy: PasswordPolicy,
  ) {}

  /** @throws RateLimitError; ApplicationError `missingParameter`, `wrongPassword`, or those of {@link PasswordPolicy} */
  async check({ userId }: { readonly userId: number }, password: NewPassword): Promise<void> {
    if (password.old === null) throw failure('missingParameter', { var_name: 'old_password' });
    const account = this.decisions.actor({ userId }).user;
    const requester = `account ${userId}`;
    this.attempts.begin(userId);
    if (!(await this.credentials.isPassword(userId, password.old, requester))) throw failure('wrongPassword');
    this.attempts.succeed(userId);
    await this.policy.assertAcceptable(password.new, account, requester);
  }

  /** Call only after {@link check}. */
  async change(
    by: { readonly userId: number; readonly client: string },
    password: NewPassword,
  ): Promise<void> {
    await this.decisions.decide(by, foldedUsers, decideChangePassword);
    await this.credentials.setPassword(by.userId, password.new);
  }
}
