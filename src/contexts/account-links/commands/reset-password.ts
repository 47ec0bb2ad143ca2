import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { failure } from '../../../kernel/errors.js';
import { Accounts } from '../../users/accounts.js';
import { Credentials } from '../../users/credentials.js';
import type { ActingAt } from '../../users/decisions.js';
import type { UserEvent } from '../../../events/users.js';
import { PasswordPolicy } from '../../users/password-policy.js';
import type { UserDirectory } from '../../users/user-directory.js';
import { AccountLinks, type FollowedLink } from '../account-links.js';
import { isOpen, type RequestedLinks } from '../requested-links.js';

/**
 * Sets a password by the link that was mailed to the account, and revokes every key of it: whoever lost control of their account
 * gets it back. A change in the settings, by who knows the password, leaves the keys.
 */
export class ResetPassword extends Command<void> {
  constructor(
    readonly request: { readonly token: string; readonly password: string },
    /** Name of the client program. */
    readonly client: string,
  ) {
    super();
  }
}

/** @throws ApplicationError `linkInvalid` */
export function decideResetPassword(
  state: UserDirectory,
  { userId, revision, links }: FollowedLink & { readonly links: RequestedLinks },
  { moment: { now } }: Pick<ActingAt, 'moment'>,
): readonly UserEvent[] {
  const user = state.users.get(userId);
  if (user?.isActive !== true) throw failure('linkInvalid');
  const { passwordChangedAt: doneAt } = user;
  if (!isOpen(links.passwordReset, { revision, doneAt, now })) throw failure('linkInvalid');
  return [{ type: 'UserPasswordChanged', data: { userId } }];
}

@CommandHandler(ResetPassword)
export class ResetPasswordHandler implements ICommandHandler<ResetPassword> {
  constructor(
    private readonly accounts: Accounts,
    private readonly credentials: Credentials,
    private readonly links: AccountLinks,
    private readonly policy: PasswordPolicy,
  ) {}

  /**
   * The link is used up before the password is set, so that of two who follow it at once one sets it. Whoever is cut off
   * between the two asks for another link.
   */
  async execute({ request: { token, password }, client }: ResetPassword): Promise<void> {
    const followed = this.links.follow('password-reset', token);
    const { userId } = followed;
    const links = await this.links.of(userId);
    const decide = (state: UserDirectory, by: Pick<ActingAt, 'moment'>): readonly UserEvent[] =>
      decideResetPassword(state, { ...followed, links }, by);
    const state = await this.accounts.all();
    decide(state, { moment: this.accounts.moment() });
    const user = state.users.get(userId);
    if (user === undefined) throw failure('linkInvalid');
    await this.policy.assertAcceptable(password, user);
    await this.accounts.decide({ userId, client }, decide);
    // Whoever lost control of the account gets it back: nobody stays logged in.
    await this.credentials.revokeKeys([userId]);
    await this.credentials.setPassword(userId, password);
    // A log-in by the old password may have come between the two.
    await this.credentials.revokeKeys([userId]);
  }
}
